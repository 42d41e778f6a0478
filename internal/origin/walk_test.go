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
// look calls.
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
	looks := map[string]string{
		"operation/machine.go write":   "lookToWrite",     // the machine by its ID
		"operation/delete.go Delete":   "LookByID",        // the same, with a guard
		"operation/discs.go PurgeDisc": "lookToWrite",     // the disc as its machine shows it
		"group/resource.go rename":     "address",         // the group in the list of its account, and machines beside it
		"group/delete.go deleteOnce":   "address",         // the same
		"backup/resource.go create":    "refTo",           // the disc and its machine
		"backup/resource.go remove":    "refToMachine",    // the same
		"rdns/resource.go send":        "errOtherService", // the name of the address, and the machines of its account
		"rdns/resource.go reset":       "errOtherService", // the same
		"check/reach.go change":        "reach",           // the machine of the check at its path
		"check/reach.go destroy":       "reach",           // the same
	}
	found := map[string]bool{}
	sends := []string{"Client", "DefaultClient", "DefaultTransport", "NewRequest", "NewRequestWithContext", "Get", "Head", "Post", "PostForm"}
	for name, file := range files(t, ".", "cloudserver", "emulator", "acctest", "bench", "e2e", "tools") {
		for _, imported := range file.Imports {
			if imported.Path.Value == `"net/http"` && imported.Name != nil {
				t.Errorf("%s imports net/http under another name", name)
			}
		}
		for _, declared := range file.Decls {
			ast.Inspect(declared, func(node ast.Node) bool {
				if used, ok := node.(*ast.SelectorExpr); ok && text(used.X) == "http" && slices.Contains(sends, used.Sel.Name) {
					t.Errorf("%s uses http.%s: requests leave through the client", name, used.Sel.Name)
				}
				return true
			})
			for _, problem := range doorIn(name, declared, looks, found) {
				t.Error(problem)
			}
		}
	}
	for key := range looks {
		if !found[key] {
			t.Errorf("%s sends none any more", key)
		}
	}
}

// doorIn returns what is wrong with the uses of the door in a declaration. looks are what the looks of those that may use
// it call. Without types, every method that is named Change is the door, so nothing else may have that name.
func doorIn(name string, declared ast.Decl, looks map[string]string, found map[string]bool) (problems []string) {
	if function, ok := declared.(*ast.FuncDecl); ok {
		name += " " + function.Name.Name
	}
	isSeen := map[ast.Node]bool{}     // it is called, or is no method: it has fields, or is compared
	literals := map[string]ast.Expr{} // by the name of the variable
	ast.Inspect(declared, func(node ast.Node) bool {
		switch node := node.(type) {
		case *ast.AssignStmt:
			if variable, ok := node.Lhs[0].(*ast.Ident); ok {
				literals[variable.Name] = node.Rhs[0]
			}
		case *ast.CallExpr:
			door, ok := node.Fun.(*ast.SelectorExpr)
			if !ok || door.Sel.Name != "Change" {
				return true
			}
			isSeen[door], found[name] = true, true
			look := node.Args[min(1, len(node.Args)-1)]
			if variable, ok := look.(*ast.Ident); ok {
				look = literals[variable.Name]
			}
			if wanted := looks[name]; wanted == "" || !calls(look, wanted) {
				problems = append(problems, name+" sends requests that change something: its look is not known to be one by ID")
			}
		case *ast.BinaryExpr:
			isSeen[node.X] = true
		case *ast.SelectorExpr:
			isSeen[node.X] = true
			if node.Sel.Name == "Change" && !isSeen[node] {
				problems = append(problems, name+" passes the door on: "+text(node))
			}
		}
		return true
	})
	return problems
}

// calls reports whether a function literal calls a function or method of this name.
func calls(literal ast.Expr, name string) (found bool) {
	function, ok := literal.(*ast.FuncLit)
	if !ok {
		return false
	}
	ast.Inspect(function.Body, func(node ast.Node) bool {
		if call, ok := node.(*ast.CallExpr); ok {
			method, isMethod := call.Fun.(*ast.SelectorExpr)
			found = found || isMethod && method.Sel.Name == name || text(call.Fun) == name
		}
		return true
	})
	return found
}

// TestDoorIn: the door is found under whatever name the client has, with a look that does nothing, and where it is only
// passed on.
func TestDoorIn(t *testing.T) {
	t.Parallel()
	for body, want := range map[string]int{
		`return r.Client.Change(ctx, func() error { return r.look(id) }, send)`:                   0,
		`look := func() error { return look(id) }; return r.Client.Change(ctx, look, send)`:       0,
		`api := r.Client; return api.Change(ctx, func() error { return r.look(id) }, send)`:       0,
		`return r.Client.Change(ctx, func() error { return nil }, send)`:                          1,
		`api := r.Client; return api.Change(ctx, func() error { return nil }, send)`:              1,
		`_ = r.look(id); return r.Client.Change(ctx, nothing, send)`:                              1,
		`change := r.Client.Change; return change(ctx, func() error { return r.look(id) }, send)`: 1,
		`return repeat(r.Client.Change)`:                                                          1,
	} {
		file, err := parser.ParseFile(token.NewFileSet(), "", "package p; func f() error { "+body+" }", 0)
		if err != nil {
			t.Fatal(err)
		}
		if problems := doorIn("file.go", file.Decls[0], map[string]string{"file.go f": "look"}, map[string]bool{}); len(problems) != want {
			t.Errorf("%s: %q, want %d problems", body, problems, want)
		}
		if problems := doorIn("other.go", file.Decls[0], map[string]string{"file.go f": "look"}, map[string]bool{}); len(problems) != 1 {
			t.Errorf("%s where it is not allowed: %q", body, problems)
		}
	}
}
