package origin_test

import (
	"go/ast"
	"go/parser"
	"go/printer"
	"go/token"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// files parses the Go files of a folder and its subfolders that are not tests, by their path below internal.
func files(t *testing.T, folder string, skip ...string) map[string]*ast.File {
	t.Helper()
	all, set := map[string]*ast.File{}, token.NewFileSet()
	err := filepath.WalkDir(filepath.Join("..", folder), func(path string, entry fs.DirEntry, err error) error {
		name, _ := filepath.Rel("..", path)
		switch {
		case err != nil:
			return err
		case entry.IsDir() && slices.Contains(skip, filepath.ToSlash(name)):
			return fs.SkipDir
		case entry.IsDir(), !strings.HasSuffix(name, ".go"), strings.HasSuffix(name, "_test.go"):
			return nil
		}
		all[filepath.ToSlash(name)], err = parser.ParseFile(set, path, nil, parser.SkipObjectResolution)
		return err
	})
	if err != nil || len(all) == 0 {
		t.Fatalf("%d files, %v", len(all), err)
	}
	return all
}

// text returns the source of an expression.
func text(node ast.Node) string {
	var b strings.Builder
	_ = printer.Fprint(&b, token.NewFileSet(), node)
	return b.String()
}

// TestDomainsAreComparedHere: no other package compares domains, or takes hostnames apart. Whether one is known at all
// may be asked everywhere.
func TestDomainsAreComparedHere(t *testing.T) {
	t.Parallel()
	allowed := []string{
		`location.go: strings.HasPrefix(strings.ToLower(host), strings.ToLower(named))`, // whether the state's own hostname names its group
		`find.go: strings.TrimPrefix(k.Domain, ".")`,                                    // for a message
	}
	takesApart := []string{"HasSuffix", "HasPrefix", "Contains", "EqualFold", "CutSuffix", "CutPrefix", "TrimSuffix", "TrimPrefix", "Split", "SplitN", "Cut", "Index", "LastIndex", "Compare"}
	isHost := func(e ast.Expr) bool {
		words := strings.ToLower(text(e))
		return strings.Contains(words, "domain") || strings.Contains(words, "hostname") || words == "host" || strings.Contains(words, "(host)")
	}
	for name, file := range files(t, ".", "origin", "emulator", "acctest", "bench", "e2e", "tools", "cloudserver/transport", "ready", "login", "adopt", "functions") {
		ast.Inspect(file, func(node ast.Node) bool {
			var found ast.Expr
			switch node := node.(type) {
			case *ast.BinaryExpr:
				isEmpty := text(node.Y) == `""` || text(node.X) == `""` || text(node.Y) == "nil"
				if (node.Op == token.EQL || node.Op == token.NEQ) && !isEmpty && (isHost(node.X) || isHost(node.Y)) {
					found = node
				}
			case *ast.CallExpr:
				called, ok := node.Fun.(*ast.SelectorExpr)
				if ok && text(called.X) == "strings" && slices.Contains(takesApart, called.Sel.Name) && slices.ContainsFunc(node.Args, isHost) {
					found = node
				}
			}
			if found != nil && name != "cloudserver/config.go" /* the host of the endpoint */ && !slices.Contains(allowed, filepath.Base(name)+": "+text(found)) {
				t.Errorf("%s compares a domain: %s", name, text(found))
			}
			return true
		})
	}
}

// TestChangesLeaveThroughTheDoor: a request that changes or destroys an existing object is made by a
// cloudserver.Writer, and only Client.Change makes one, after a look. Those who call it are listed here with what their
// look is.
func TestChangesLeaveThroughTheDoor(t *testing.T) {
	t.Parallel()
	changing := []string{"http.MethodPut", "http.MethodPatch", "http.MethodDelete"}
	creations := []string{"create.go", "group.go CreateGroup", "login.go", "virtual_machine.go signalCall", "answer.go notPromised" /* compares */}
	for name, file := range files(t, "cloudserver", "cloudserver/transport") {
		base := filepath.Base(name)
		for _, declared := range file.Decls {
			function, ok := declared.(*ast.FuncDecl)
			if !ok {
				continue
			}
			isWriter := function.Recv != nil && text(function.Recv.List[0].Type) == "Writer"
			mayCreate := slices.Contains(creations, base) || slices.Contains(creations, base+" "+function.Name.Name)
			ast.Inspect(function, func(node ast.Node) bool {
				literal, ok := node.(*ast.CompositeLit)
				method, isSelector := node.(*ast.SelectorExpr)
				switch {
				case isSelector && !isWriter && !mayCreate && slices.Contains(changing, text(method)):
					t.Errorf("%s: %s uses %s, and is no method of Writer", name, function.Name.Name, text(method))
				case !ok:
				case literal.Type != nil && text(literal.Type) == "Writer" && function.Name.Name != "Change":
					t.Errorf("%s: %s makes a Writer", name, function.Name.Name)
				case literal.Type != nil && text(literal.Type) == "call" && !isWriter && !mayCreate && !strings.Contains(text(literal), "http.MethodGet"):
					t.Errorf("%s: %s sends a request that changes something, and is no method of Writer", name, function.Name.Name)
				}
				return true
			})
		}
	}
	callers := map[string]bool{
		"operation/machine.go write":   false, // the machine by its ID
		"operation/delete.go Delete":   false, // the same, with a guard
		"operation/discs.go PurgeDisc": false, // the disc as its machine shows it
		"group/resource.go rename":     false, // the group in the list of its account, and machines beside it
		"group/delete.go deleteOnce":   false, // the same
		"backup/resource.go create":    false, // the disc and its machine
		"backup/resource.go remove":    false, // the same
		"rdns/resource.go send":        false, // the name of the address, and the machines of its account
		"rdns/resource.go reset":       false, // the same
		"check/reach.go change":        false, // the machine of the check at its path
		"check/reach.go destroy":       false, // the same
	}
	sends := []string{"Client", "DefaultClient", "DefaultTransport", "NewRequest", "NewRequestWithContext", "Get", "Head", "Post", "PostForm"}
	for name, file := range files(t, ".", "cloudserver", "emulator", "acctest", "bench", "e2e", "tools") {
		for _, declared := range file.Decls {
			ast.Inspect(declared, func(node ast.Node) bool {
				called, ok := node.(*ast.SelectorExpr)
				if ok && text(called.X) == "http" && slices.Contains(sends, called.Sel.Name) {
					t.Errorf("%s uses http.%s: requests leave through the client", name, called.Sel.Name)
				}
				if !ok || called.Sel.Name != "Change" || !strings.HasSuffix(strings.ToLower(text(called.X)), "client") {
					return true
				}
				function, _ := declared.(*ast.FuncDecl)
				key := name + " " + function.Name.Name
				if _, known := callers[key]; !known {
					t.Errorf("%s sends requests that change something: is its look one by ID?", key)
				}
				callers[key] = true
				return true
			})
		}
	}
	for key, found := range callers {
		if !found {
			t.Errorf("%s sends none any more", key)
		}
	}
}
