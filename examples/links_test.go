package examples_test

import (
	"net/netip"
	"net/url"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// external lists the beginnings of allowed links: pages that have kept their addresses for years.
var external = []string{
	repository, "https://github.com/hashicorp/terraform/issues/", "https://github.com/hashicorp/terraform-plugin-docs",
	"https://developer.hashicorp.com/terraform/", "https://json-schema.org/draft/2020-12/schema", "https://keepachangelog.com/en/1.1.0/",
	"https://www.openpolicyagent.org/docs", rawFiles, "https://registry.terraform.io/tools/doc-preview", "https://registry.terraform.io/v1/providers/cloudserver/cloudserver/", "https://semver.org/",
}

const (
	repository = "https://github.com/cloudserver/terraform-provider-cloudserver"
	rawFiles   = "https://raw.githubusercontent.com/cloudserver/terraform-provider-cloudserver/"
)

var newest = regexp.MustCompile(`(?m)^## \[(.*?)\]`)

// ref returns what the pages link: the tag of the version at the top of the changelog, and before it has one the main
// branch.
func ref(t *testing.T) string {
	t.Helper()
	found := newest.FindStringSubmatch(read(t, "..", "CHANGELOG.md"))
	if found == nil {
		t.Fatal("the changelog has no section")
	}
	if found[1] == "Unreleased" {
		return "main"
	}
	return "v" + found[1]
}

// leadsTo returns the file of the repository that a link on a page leads to, both by their paths from the root, and ""
// for a link to another site. A link to a heading of the same page leads to that page.
func leadsTo(t *testing.T, page, target string) string {
	t.Helper()
	if file, ok := strings.CutPrefix(target, repository+"/blob/"+ref(t)+"/"); ok {
		return file
	}
	switch {
	case strings.Contains(target, "://"):
		return ""
	case target == "":
		return page
	default:
		return path.Join(path.Dir(page), target)
	}
}

// Pages in docs/ are read in both registries and in the repository. TestLinks follows their links in the repository; here
// they are followed as the registries serve them.
func TestLinksInTheRegistries(t *testing.T) {
	t.Parallel()
	texts := pages(t)
	for name, page := range texts {
		name = filepath.ToSlash(name)
		for _, l := range link.FindAllStringSubmatch(codeBlock.ReplaceAllString(page, ""), -1) {
			if l[1] == "" || strings.Contains(l[1], "://") {
				continue
			}
			if to := inTerraformRegistry(name, l[1]); texts[filepath.FromSlash(to)] == "" {
				t.Errorf("%s: %s leads to no page of the Terraform Registry", name, l[0])
			}
			if to := inOpenTofuRegistry(name, l[1]); shownByOpenTofu(name) && (texts[filepath.FromSlash(to)] == "" || !shownByOpenTofu(to)) {
				t.Errorf("%s: %s leads to no page of the OpenTofu Registry", name, l[0])
			}
		}
	}
}

// inTerraformRegistry returns the page that a browser requests there. The overview is served as …/docs, without a slash
// at the end, and any other page as …/docs/KIND/NAME. Links lose the suffix .md.
func inTerraformRegistry(page, target string) string {
	at := "docs"
	if page != "index.md" {
		at = "docs/" + strings.TrimSuffix(page, ".md")
	}
	to, ok := strings.CutPrefix(path.Join(path.Dir(at), strings.TrimSuffix(target, ".md")), "docs/")
	if !ok {
		return ""
	}
	return to + ".md"
}

// inOpenTofuRegistry returns the page that a browser requests there. The overview is served as …/VERSION, and any other
// page as …/VERSION/docs/KIND/NAME, where data sources are datasources. Only links without a slash lose the suffix .md.
func inOpenTofuRegistry(page, target string) string {
	kinds := strings.NewReplacer("data-sources/", "datasources/")
	at := "1.0.0"
	if page != "index.md" {
		at = "1.0.0/docs/" + kinds.Replace(strings.TrimSuffix(page, ".md"))
	}
	if !strings.Contains(target, "/") {
		target = strings.TrimSuffix(target, ".md")
	}
	to, ok := strings.CutPrefix(path.Join(path.Dir(at), target), "1.0.0/docs/")
	if !ok || strings.HasSuffix(to, ".md") {
		return ""
	}
	return strings.ReplaceAll(to, "datasources/", "data-sources/") + ".md"
}

// shownByOpenTofu reports whether that registry shows a page.
func shownByOpenTofu(page string) bool {
	kind, _, _ := strings.Cut(page, "/")
	return slices.Contains([]string{"index.md", "guides", "resources", "data-sources", "functions"}, kind)
}

// The rules of the registries, for the forms of links that pages might have.
func TestRulesOfTheRegistries(t *testing.T) {
	t.Parallel()
	for _, test := range []struct{ page, target, terraform, openTofu string }{
		{"guides/ci.md", "install.md", "guides/install.md", "guides/install.md"},
		{"data-sources/vm.md", "vms.md", "data-sources/vms.md", "data-sources/vms.md"},
		{"guides/ci.md", "../resources/vm.md", "resources/vm.md", ""},
		{"guides/ci.md", "./install.md", "guides/install.md", ""},
		{"index.md", "guides/ci.md", "", ""},
		{"guides/ci.md", "../index.md", "index.md", ""},
	} {
		if got := inTerraformRegistry(test.page, test.target); got != test.terraform {
			t.Errorf("the Terraform Registry takes %s of %s to %q, want %q", test.target, test.page, got, test.terraform)
		}
		if got := inOpenTofuRegistry(test.page, test.target); got != test.openTofu {
			t.Errorf("the OpenTofu Registry takes %s of %s to %q, want %q", test.target, test.page, got, test.openTofu)
		}
	}
}

var address = regexp.MustCompile("https?://[^\\s)>\"'`|,;…]+")

// Links to other sites use HTTPS, and lead to pages that are likely to stay. Links into this repository lead to files
// that exist. Every other host is one that is reserved for examples, or this machine.
func TestExternalLinks(t *testing.T) {
	t.Parallel()
	texts := allPages(t)
	for _, pattern := range []string{"../.github/*.md", "../.github/ISSUE_TEMPLATE/*", "../internal/tools/README.md"} {
		files, err := filepath.Glob(pattern)
		if err != nil || len(files) == 0 {
			t.Fatalf("%s: %v", pattern, err)
		}
		for _, file := range files {
			texts[file] = read(t, file)
		}
	}
	for name, text := range texts {
		for _, found := range address.FindAllString(text, -1) {
			found = strings.TrimRight(found, ".:")
			parsed, err := url.Parse(found)
			if err != nil {
				t.Errorf("%s: %v", name, err)
			} else if !isExampleHost(parsed.Hostname()) && !slices.ContainsFunc(external, func(begin string) bool { return strings.HasPrefix(found, begin) }) {
				t.Errorf("%s: %s is not in the register of this test", name, found)
			}
			for _, view := range []string{repository + "/blob/", rawFiles} {
				if file, ok := strings.CutPrefix(found, view); ok {
					at, file, _ := strings.Cut(file, "/")
					want := ref(t)
					if strings.HasPrefix(name, "../.github/") { // forms are shown as they are on main
						want = "main"
					}
					if read(t, "..", filepath.FromSlash(strings.Split(file, "#")[0])); at != want {
						t.Errorf("%s: %s is not in %s", name, found, want)
					}
				}
			}
		}
	}
}

// isExampleHost reports whether a host is this machine, below a domain that nobody can register, or the emulator in a
// network of containers.
func isExampleHost(host string) bool {
	if ip, err := netip.ParseAddr(host); err == nil {
		return ip.IsLoopback()
	}
	return host == "localhost" || host == "emulator" || host == "example.com" || strings.HasSuffix(host, ".example.com") || strings.HasSuffix(host, ".example")
}
