package examples_test

import (
	"net/netip"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// external are the hosts that pages may refer to: those that have kept their addresses for years, and what pages there must begin with.
// A link to another host is added here once it was opened in a browser.
var external = map[string][]string{
	"developer.hashicorp.com":   {"/terraform/"},
	"github.com":                {repository, "/hashicorp/terraform/issues/", "/hashicorp/terraform-plugin-docs"},
	"json-schema.org":           {"/draft/2020-12/schema"},
	"keepachangelog.com":        {"/en/1.1.0/"},
	"raw.githubusercontent.com": {repository + "/main/"},
	"registry.terraform.io":     {"/v1/providers/cloudserver/cloudserver/"},
	"semver.org":                {"/"},
}

const repository = "/cloudserver/terraform-provider-cloudserver"

var address = regexp.MustCompile("https?://[^\\s)>\"'`|,;…]+")

// Links to other sites use HTTPS, and go to hosts that are likely to stay. What they name of this repository is in it. Every other host is
// one that is reserved for examples, or this machine.
func TestExternalLinks(t *testing.T) {
	t.Parallel()
	texts := map[string]string{}
	for name, page := range pages(t) {
		texts["docs/"+name] = page
	}
	for _, pattern := range []string{"../*.md", "../.github/*.md", "../.github/ISSUE_TEMPLATE/*", "../internal/tools/README.md"} {
		files, err := filepath.Glob(pattern)
		if err != nil || len(files) == 0 {
			t.Fatalf("%s: %v", pattern, err)
		}
		for _, file := range files {
			text, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			texts[file] = string(text)
		}
	}
	checked := 0
	for name, text := range texts {
		for _, found := range address.FindAllString(text, -1) {
			found = strings.TrimRight(found, ".:")
			parsed, err := url.Parse(found)
			if err != nil {
				t.Errorf("%s: %v", name, err)
				continue
			}
			if isExampleHost(parsed.Hostname()) {
				continue
			}
			checked++
			if why := refuse(parsed); why != "" {
				t.Errorf("%s: %s %s", name, found, why)
			}
		}
	}
	if checked < 15 {
		t.Errorf("only %d links were found", checked)
	}
}

// isExampleHost reports whether a host is this machine or below a domain that nobody can register.
func isExampleHost(host string) bool {
	if ip, err := netip.ParseAddr(host); err == nil {
		return ip.IsLoopback()
	}
	if host == "emulator" { // a service's name in a network of containers
		return true
	}
	return host == "localhost" || host == "example.com" || strings.HasSuffix(host, ".example.com") || strings.HasSuffix(host, ".example")
}

// refuse says why a link is none that a page should have, "" if it may.
func refuse(link *url.URL) string {
	if link.Scheme != "https" {
		return "is not HTTPS"
	}
	paths, ok := external[link.Host]
	if !ok {
		return "leads to a host that is not in the register of this test"
	}
	for _, prefix := range paths {
		if !strings.HasPrefix(link.Path, prefix) {
			continue
		}
		for _, view := range []string{repository + "/blob/main/", repository + "/main/"} {
			if file, ok := strings.CutPrefix(link.Path, view); ok {
				if _, err := os.Stat(filepath.Join("..", filepath.FromSlash(file))); err != nil {
					return "names a file that the repository does not have"
				}
			}
		}
		return ""
	}
	return "is not below " + strings.Join(paths, " or ")
}
