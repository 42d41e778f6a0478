package e2e_test

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path/filepath"
	"strings"
	"testing"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/acctest"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/emulator"
)

// TestWarningsOfManyMachinesAreFolded: the CLI folds warnings that have the same summary and a location. What eight
// machines of one plan have in common is shown once, with the number of the others.
func TestWarningsOfManyMachinesAreFolded(t *testing.T) {
	t.Parallel()
	w := newWorkspace(t, acctest.StartEmulator(t, emulator.Options{}))
	configure := func(image string, memory int, discs string) {
		w.write("main.tf", requirement+w.service.ProviderBlock("  max_unavailable = 4")+fmt.Sprintf(`
resource "cloudserver_vm" "web" {
  count  = 8
  name   = "web${count.index}"
  memory = %d

  allow_stopping_for_update = true

  disc {
    label = "vda"
    size  = 25600
  }
%s
  reimage {
    distribution  = %q
    root_password = %q
    on_change     = "reimage"
  }
}
`, memory, discs, image, rootPassword))
	}
	disc := func(label string) string {
		return fmt.Sprintf("  disc {\n    label = %q\n    size  = 1024\n  }", label)
	}

	configure("bookworm", 2048, disc("vdb")+"\n"+disc("vdc"))
	w.mustRun("apply", "-auto-approve")
	for name, test := range map[string]struct {
		image  string
		memory int
		discs  string
		want   []string // the summaries
	}{
		"restarted":           {image: "bookworm", memory: 4096, discs: disc("vdb") + "\n" + disc("vdc"), want: []string{`The update restarts the machine: memory`}},
		"reimaged":            {image: "noble", memory: 2048, discs: disc("vdb") + "\n" + disc("vdc"), want: []string{`The boot disc will be erased: "vda"`}},
		"two discs taken out": {image: "bookworm", memory: 2048, want: []string{`Discs will be purged: "vdb", "vdc"`}},
	} {
		configure(test.image, test.memory, test.discs)
		output := w.mustRun("plan", "-no-color")
		_, warnings, _ := strings.Cut(output, "\nWarning: ") // the first one is the CLI's, about the folder of the provider
		_, warnings, _ = strings.Cut(warnings, "\nWarning: ")
		t.Logf("%s: %d lines\n%s", name, strings.Count(warnings, "\n"), warnings)
		if got := strings.Count("Warning: "+warnings, "Warning: "); got != len(test.want) {
			t.Errorf("%s: %d warnings\n%s", name, got, warnings)
		}
		for _, summary := range test.want {
			if !strings.Contains("Warning: "+warnings, "Warning: "+summary+"\n") || !strings.Contains(warnings, "(and 7 more similar warnings elsewhere)") {
				t.Errorf("%s: want %q, and 7 more\n%s", name, summary, warnings)
			}
		}
	}
}

// TestWarningsCanBeFolded: the summary of every warning is a constant, to which one about a loss adds what is lost, and
// every warning is at an attribute. Without an attribute it concerns the whole resource.
func TestWarningsCanBeFolded(t *testing.T) {
	t.Parallel()
	whole := map[string]string{
		"../tfkit/plan_check.go": "the plan of whatever resource is checked first",
		"../tfkit/list.go":       "a listing has no attribute",
	}
	files, seen := token.NewFileSet(), 0
	parsed, constants := map[string]*ast.File{}, map[string]bool{}
	err := filepath.WalkDir("..", func(path string, _ fs.DirEntry, err error) error {
		if err != nil || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") || strings.HasPrefix(path, "../acctest/") {
			return err
		}
		file, err := parser.ParseFile(files, path, nil, 0)
		if err != nil {
			return err
		}
		parsed[path] = file
		for _, d := range file.Decls {
			if d, ok := d.(*ast.GenDecl); ok && d.Tok == token.CONST {
				for _, spec := range d.Specs {
					for _, name := range spec.(*ast.ValueSpec).Names {
						constants[name.Name] = true
					}
				}
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	for path, file := range parsed {
		ast.Inspect(file, func(node ast.Node) bool {
			call, ok := node.(*ast.CallExpr)
			if !ok {
				return true
			}
			function, ok := call.Fun.(*ast.SelectorExpr)
			if !ok {
				return true
			}
			summary := 0
			switch function.Sel.Name {
			case "AddAttributeWarning", "NewAttributeWarningDiagnostic":
				summary = 1
			case "AddWarning", "NewWarningDiagnostic":
				if whole[path] == "" {
					t.Errorf("%s: a warning without an attribute", files.Position(call.Pos()))
				}
			default:
				return true
			}
			seen++
			words := call.Args[summary]
			if loss, ok := words.(*ast.CallExpr); ok && isFunction(loss.Fun, "tfkit", "Summary") {
				words = loss.Args[0]
			}
			if !isConstant(words, constants) {
				t.Errorf("%s: a summary that is no constant cannot be folded: put names into the detail", files.Position(call.Pos()))
			}
			return true
		})
	}
	if seen < 40 {
		t.Errorf("%d warnings seen", seen)
	}
}

// isConstant reports whether an expression is a text, or the name of a constant.
func isConstant(e ast.Expr, constants map[string]bool) bool {
	switch e := e.(type) {
	case *ast.BasicLit:
		return true
	case *ast.Ident:
		return constants[e.Name]
	case *ast.SelectorExpr:
		return constants[e.Sel.Name]
	}
	return false
}

// isFunction reports whether an expression names a function of another package.
func isFunction(expression ast.Expr, pkg, name string) bool {
	selected, ok := expression.(*ast.SelectorExpr)
	if !ok {
		return false
	}
	from, ok := selected.X.(*ast.Ident)
	return ok && from.Name == pkg && selected.Sel.Name == name
}
