package examples_test

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-go/tftypes"
)

// compareSignatures compares the signatures on the pages of functions with the functions.
func compareSignatures(t *testing.T, c *cli) {
	for name, function := range providerSchemas(t).Functions {
		var parameters []string
		for _, p := range function.Parameters {
			parameters = append(parameters, p.Name+" "+typeName(p.Type))
		}
		if p := function.VariadicParameter; p != nil {
			parameters = append(parameters, p.Name+" "+typeName(p.Type)+"...")
		}
		want := fmt.Sprintf("%s(%s) %s", name, strings.Join(parameters, ", "), typeName(function.Return.Type))
		if signature := c.book.block(t, "docs/functions/"+name+".md", name+"("+function.Parameters[0].Name+" "); strings.TrimSpace(signature) != want {
			t.Errorf("the page says %s, and the function is %s", signature, want)
		}
	}
}

func typeName(t tftypes.Type) string {
	switch {
	case t.Is(tftypes.String):
		return "string"
	case t.Is(tftypes.Number):
		return "number"
	case t.Is(tftypes.Object{}):
		return "object"
	}
	return t.String()
}

var (
	mapped     = regexp.MustCompile(`(?m)^( *)((?:[\w-]+/ )*[\w.-]+/?)(?:  | →|$)`)
	packagesIn = regexp.MustCompile(`[a-z]+`)
)

// compareMaps compares the two maps of DESIGN.md with the code: what is where, and which package may import which.
func compareMaps(t *testing.T, c *cli) {
	folders := []string{".."}
	shown := map[string]bool{}
	for _, line := range mapped.FindAllStringSubmatch(c.book.block(t, "DESIGN.md", "main.go  "), -1) {
		depth := len(line[1]) / 2
		if depth >= len(folders) {
			continue // the second line of a description
		}
		for _, name := range strings.Fields(line[2]) {
			path := filepath.Join(folders[depth], name)
			if _, err := os.Stat(path); err != nil {
				t.Errorf("DESIGN.md shows %s, which does not exist", name)
			}
			shown[path] = true
			folders = append(folders[:depth+1], path)
		}
	}
	packages, err := os.ReadDir("../internal")
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range packages {
		if !shown[filepath.Join("../internal", p.Name())] {
			t.Errorf("DESIGN.md does not show internal/%s", p.Name())
		}
	}
	expectLayers(t, c.book.block(t, "DESIGN.md", "main → provider"))
}

// expectLayers expects that no package imports one to its left.
func expectLayers(t *testing.T, arrows string) {
	t.Helper()
	const module = "github.com/cloudserver/terraform-provider-cloudserver"
	lines := strings.Split(arrows, "\n")
	order := strings.Join(lines[:slices.IndexFunc(lines, func(l string) bool { return strings.HasPrefix(l, "login, check") })], "\n")
	var layers [][]string
	for _, layer := range strings.FieldsFunc(order, func(r rune) bool { return r == '→' || r == '\n' }) {
		layer, _, _ = strings.Cut(layer, "     ") // a remark
		if names := packagesIn.FindAllString(layer, -1); names != nil && !slices.ContainsFunc(layers, func(l []string) bool { return slices.Contains(l, names[0]) }) {
			layers = append(layers, names)
		}
	}
	of := func(name string) int {
		return slices.IndexFunc(layers, func(l []string) bool { return slices.Contains(l, name) })
	}
	if len(layers) < 7 {
		t.Fatalf("the layers: %q", layers)
	}
	for _, line := range strings.Split(strings.TrimSpace(output(t, "go", "list", "-f", `{{.ImportPath}} {{join .Imports " "}}`, module, module+"/internal/...")), "\n") {
		fields := strings.Fields(line)
		name := strings.TrimPrefix(fields[0], module+"/internal/")
		if fields[0] == module {
			name = "main"
		}
		for _, imported := range fields[1:] {
			imported, ours := strings.CutPrefix(imported, module+"/internal/")
			if from, to := of(name), of(imported); ours && from >= 0 && to >= 0 && from >= to {
				t.Errorf("%s imports %s, and DESIGN.md shows it the other way round", name, imported)
			}
		}
	}
}
