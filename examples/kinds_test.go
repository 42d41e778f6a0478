package examples_test

import (
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-framework/providerserver"
	"github.com/hashicorp/terraform-plugin-go/tfprotov6"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/acctest"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/provider"
)

// kind is a kind of component: where its examples and pages are, and how an example of it is executed.
type kind struct {
	name string
	dir  string // below examples/ and docs/
	file string // the example that its page shows

	terraform, openTofu int // the 1.x that can execute it; 0: none

	run   func(*workspace)                                                // with a CLI that can
	drive func(t *testing.T, c *cli, e *acctest.Emulator, example string) // in process, where the CLI cannot
}

// kinds are all kinds of components that a provider can offer. If the oldest supported CLI cannot execute the examples
// of a kind, it needs both run and drive; without one, the first such example fails.
func kinds() []kind {
	return []kind{
		{name: "resource", dir: "resources", file: "resource.tf", terraform: 11, openTofu: 11, run: live},
		{name: "data source", dir: "data-sources", file: "data-source.tf", terraform: 11, openTofu: 11, run: live},
		{
			name:      "ephemeral resource",
			dir:       "ephemeral-resources",
			file:      "ephemeral-resource.tf",
			terraform: 11,
			openTofu:  11,
			run:       live,
		},
		{name: "function", dir: "functions", file: "function.tf", terraform: 11, openTofu: 11, run: live},
		{
			name:      "list resource",
			dir:       "list-resources",
			file:      "list-resource.tfquery.hcl",
			terraform: 14,
			run:       query,
			drive:     driveQuery,
		},
		{name: "action", dir: "actions", file: "action.tf", terraform: 14, run: act, drive: driveActions},
	}
}

// components returns the names of everything that the provider offers, by the directory of their kind.
func components(s *tfprotov6.GetProviderSchemaResponse) map[string][]string {
	return map[string][]string{
		"resources": sorted(s.ResourceSchemas), "data-sources": sorted(s.DataSourceSchemas), "ephemeral-resources": sorted(s.EphemeralResourceSchemas),
		"functions": sorted(s.Functions), "list-resources": sorted(s.ListResourceSchemas), "actions": sorted(s.ActionSchemas),
	}
}

// kindOf returns the kind of an example. An example of a guide or of the provider itself is a configuration.
func kindOf(example string) kind {
	for _, k := range kinds() {
		if strings.HasPrefix(example, k.dir+"/") {
			return k
		}
	}
	if example == "recipes/action-triggers" {
		return kind{name: "action trigger", terraform: 14, run: trigger, drive: driveActionTriggers}
	}
	if example == "recipes/drain" {
		return kind{name: "action trigger before a destroy", terraform: 16, run: drain, drive: driveDrain}
	}
	return kind{name: "configuration", terraform: 11, openTofu: 11, run: live}
}

// Every component has an example and a page, and every such directory and page has a component.
func TestEveryComponentIsShown(t *testing.T) {
	t.Parallel()
	offered := components(providerSchemas(t))
	for _, k := range kinds() {
		names := offered[k.dir]
		pages := make([]string, len(names))
		for i, name := range names {
			pages[i] = strings.TrimPrefix(name, "cloudserver_") + ".md"
			example := filepath.Join(k.dir, name, k.file)
			if _, err := os.Stat(example); err != nil {
				t.Errorf("%s %s has no example: %v", k.name, name, err)
			}
			page, err := os.ReadFile(filepath.Join("..", "docs", k.dir, pages[i]))
			if err != nil {
				t.Errorf("%s %s has no page: %v; run make generate", k.name, name, err)
			} else if !strings.Contains(string(page), "## Example Usage\n") {
				t.Errorf("the page of %s %s does not show its example", k.name, name)
			}
		}
		shown, err := filepath.Glob(filepath.Join("..", "docs", k.dir, "*"))
		if err != nil {
			t.Error(err)
		}
		for _, path := range files(t, k.dir) {
			expectName(t, strings.Join(strings.Split(filepath.ToSlash(path), "/")[:2], "/"), names)
		}
		for _, path := range shown {
			expectName(t, path, pages)
		}
	}
}

// expectName checks that a page or the folder of an example has one of the names.
func expectName(t *testing.T, path string, names []string) {
	t.Helper()
	if !slices.Contains(names, filepath.Base(path)) {
		t.Errorf("%s belongs to nothing that the provider offers", path)
	}
}

func providerSchemas(t *testing.T) *tfprotov6.GetProviderSchemaResponse {
	t.Helper()
	server := providerserver.NewProtocol6(provider.New("test")())()
	schemas, err := server.GetProviderSchema(t.Context(), &tfprotov6.GetProviderSchemaRequest{})
	if err != nil {
		t.Fatal(err)
	}
	if acctest.HasErrors(schemas.Diagnostics) {
		t.Fatal(acctest.DiagText(schemas.Diagnostics))
	}
	return schemas
}

func sorted[T any](components map[string]T) []string { return slices.Sorted(maps.Keys(components)) }
