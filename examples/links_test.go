package examples_test

import (
	"net/netip"
	"net/url"
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
	rawFiles, "https://registry.terraform.io/v1/providers/cloudserver/cloudserver/", "https://semver.org/",
}

const (
	repository = "https://github.com/cloudserver/terraform-provider-cloudserver"
	rawFiles   = "https://raw.githubusercontent.com/cloudserver/terraform-provider-cloudserver/main/"
)

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
			for _, view := range []string{repository + "/blob/main/", rawFiles} {
				if file, ok := strings.CutPrefix(found, view); ok {
					read(t, "..", filepath.FromSlash(strings.Split(file, "#")[0]))
				}
			}
		}
	}
}

// isExampleHost reports whether a host is this machine, below a domain that nobody can register, or the emulator in a network of containers.
func isExampleHost(host string) bool {
	if ip, err := netip.ParseAddr(host); err == nil {
		return ip.IsLoopback()
	}
	return host == "localhost" || host == "emulator" || host == "example.com" || strings.HasSuffix(host, ".example.com") || strings.HasSuffix(host, ".example")
}
