// SPDX-License-Identifier: MPL-2.0

package examples_test

import (
	"cmp"
	"maps"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-framework/providerserver"
	"github.com/hashicorp/terraform-plugin-go/tfprotov6"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/provider"
)

var (
	link      = regexp.MustCompile(`\]\(([^)#\s]*)(?:#([^)\s]*))?\)`)
	heading   = regexp.MustCompile("(?m)^#+ (.+)$")
	anchor    = regexp.MustCompile(`<a id="([^"]+)">`)
	codeBlock = regexp.MustCompile("(?ms)^```.*?^```")
)

// repositoryFile begins links to files of the repository, as internal/tools/docs.sh writes them.
var repositoryFile = regexp.MustCompile(`^https://(?:github\.com/cloudserver/terraform-provider-cloudserver/blob|raw\.githubusercontent\.com/cloudserver/terraform-provider-cloudserver)/[^/]+/`)

// registryPage begins links to pages in the registry. Other links between pages are relative, and have no extension.
var registryPage = regexp.MustCompile(`^https://registry\.terraform\.io/providers/cloudserver/cloudserver/latest/docs/?`)

// Every link between the pages leads to an existing file and heading.
func TestLinks(t *testing.T) {
	t.Parallel()
	for name, page := range pages(t) {
		for _, l := range link.FindAllStringSubmatch(codeBlock.ReplaceAllString(page, ""), -1) {
			target := path.Join(path.Dir(name), l[1])
			switch {
			case l[1] == "":
				target = name
			case repositoryFile.MatchString(l[1]):
				target = repositoryFile.ReplaceAllString(l[1], "")
			case registryPage.MatchString(l[1]):
				target = path.Join("docs", cmp.Or(registryPage.ReplaceAllString(l[1], ""), "index")) + ".md"
			case strings.Contains(l[1], "://"):
				continue
			case strings.HasPrefix(name, "docs/") && path.Ext(target) == "":
				target += ".md"
			}
			file := filepath.Join("..", target)
			if _, err := os.Stat(file); err != nil {
				t.Errorf("%s: %s leads nowhere: %v", name, l[0], err)
			} else if l[2] != "" && strings.HasSuffix(target, ".md") && !slices.Contains(anchors(read(t, file)), l[2]) {
				t.Errorf("%s: %s leads to no heading of %s", name, l[0], target)
			}
		}
	}
}

// anchors returns the parts of a page that a link can lead to: headings, as the registry and code hosts name them, and
// marks.
func anchors(page string) (names []string) {
	page = codeBlock.ReplaceAllString(page, "")
	for _, h := range heading.FindAllStringSubmatch(page, -1) {
		name := strings.ToLower(strings.NewReplacer("`", "", "(", "", ")", "", ",", "", ".", "", "?", "").Replace(h[1]))
		names = append(names, strings.ReplaceAll(name, " ", "-"))
	}
	for _, a := range anchor.FindAllStringSubmatch(page, -1) {
		names = append(names, a[1])
	}
	return names
}

// Everything that the provider offers has an example and a page that shows it, and descriptions in whole sentences.
func TestEveryComponentIsShown(t *testing.T) {
	t.Parallel()
	s := providerSchemas(t)
	for folder, names := range map[string][]string{
		"resources": sorted(s.ResourceSchemas), "data-sources": sorted(s.DataSourceSchemas), "ephemeral-resources": sorted(s.EphemeralResourceSchemas),
		"list-resources": sorted(s.ListResourceSchemas), "actions": sorted(s.ActionSchemas), "functions": sorted(s.Functions),
	} {
		var shown []string
		for _, name := range names {
			shown = append(shown, strings.TrimPrefix(name, "cloudserver_"))
			if page := read(t, "../docs", folder, shown[len(shown)-1]+".md"); !strings.Contains(page, "## Example Usage\n") {
				t.Errorf("the page of %s shows no example", name)
			}
		}
		for _, page := range filesBelow(t, "../docs/"+folder, ".md") {
			if !slices.Contains(shown, strings.TrimSuffix(path.Base(page), ".md")) {
				t.Errorf("%s belongs to nothing that the provider offers", page)
			}
		}
	}
	for _, schemas := range []map[string]*tfprotov6.Schema{
		{"provider": s.Provider}, s.ResourceSchemas, s.DataSourceSchemas, s.EphemeralResourceSchemas, s.ListResourceSchemas,
	} {
		for name, schema := range schemas {
			expectDescriptions(t, name, schema)
		}
	}
	for name, action := range s.ActionSchemas {
		expectDescriptions(t, name, action.Schema)
	}
}

func expectDescriptions(t *testing.T, of string, schema *tfprotov6.Schema) {
	t.Helper()
	walk(schema.Block, "", func(path, description string) {
		if path != "timeouts" && !strings.HasSuffix(description, ".") { // that block is a library's
			t.Errorf("%s: the description of %s does not end with a full stop: %q", of, path, description)
		}
	})
}

// walk visits the attributes and blocks of a block, attributes in blocks with the block's name before theirs.
func walk(block *tfprotov6.SchemaBlock, prefix string, visit func(path, description string)) {
	for _, a := range block.Attributes {
		visit(prefix+a.Name, a.Description)
	}
	for _, nested := range block.BlockTypes {
		visit(prefix+nested.TypeName, nested.Block.Description)
		walk(nested.Block, prefix+nested.TypeName+".", visit)
	}
}

func providerSchemas(t *testing.T) *tfprotov6.GetProviderSchemaResponse {
	t.Helper()
	server := providerserver.NewProtocol6(provider.New("test")())()
	schemas, err := server.GetProviderSchema(t.Context(), &tfprotov6.GetProviderSchemaRequest{})
	if err != nil {
		t.Fatal(err)
	}
	return schemas
}

func sorted[T any](components map[string]T) []string { return slices.Sorted(maps.Keys(components)) }
