package examples_test

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/acctest"
)

// Of an example's files, those that show how to import what it creates, and what they name.
var (
	importExample = regexp.MustCompile(`^import(\.sh|-by-.+\.tf)$`)
	importTarget  = regexp.MustCompile(`to += +(\S+)`)
	importBy      = regexp.MustCompile(`(\w+) += "([^"]+)"`)
)

// shownID is the ID in the examples that stands for the one that the service assigns.
const shownID = "1234"

// importEachWay takes the resource out of the state and imports it, once for each command of import.sh and each import
// block.
func (w *workspace) importEachWay() {
	w.Helper()
	defer w.cli.book.executedFiles(w.T, w.example, "import.sh", "-by-string-id.tf", "-by-identity.tf")
	for _, line := range strings.Split(w.shown("import.sh"), "\n") {
		fields := strings.Fields(line)
		if len(fields) == 0 || fields[0] == "#" {
			continue
		}
		if len(fields) != 4 || fields[0] != "terraform" || fields[1] != "import" {
			w.Fatalf("import.sh has more than commands of the form terraform import ADDRESS ID: %s", line)
		}
		w.importAs(fields[2], func(id string) {
			w.run("import", fields[2], strings.ReplaceAll(fields[3], shownID, id))
		})
	}
	w.importByBlock("import-by-string-id.tf")
	if w.cli.knows(12, 12) {
		w.importByBlock("import-by-identity.tf")
	} else {
		w.driveImportByIdentity("import-by-identity.tf")
	}
}

// shown returns the content of one of the example's files, or "" if it does not exist.
func (w *workspace) shown(name string) string {
	w.Helper()
	content, err := os.ReadFile(filepath.Join(w.example, name))
	if err != nil && !os.IsNotExist(err) {
		w.Fatal(err)
	}
	return string(content)
}

func (w *workspace) importByBlock(name string) {
	w.Helper()
	block := w.shown(name)
	if block == "" {
		return
	}
	w.importAs(w.target(block), func(id string) {
		write(w.T, w.dir, "import.tf", strings.ReplaceAll(block, shownID, id))
	})
	if err := os.Remove(filepath.Join(w.dir, "import.tf")); err != nil {
		w.Fatal(err)
	}
}

func (w *workspace) target(block string) string {
	w.Helper()
	found := importTarget.FindStringSubmatch(block)
	if found == nil {
		w.Fatalf("the import block names no resource: %s", block)
	}
	return found[1]
}

// importAs expects that an import finds the same object again, that the apply after it only reads, and
// that the plan after that is empty.
func (w *workspace) importAs(address string, way func(id string)) {
	w.Helper()
	id := w.id(address)
	w.run("state", "rm", address)
	w.e.ResetJournal()
	way(id)
	w.run("apply", "-auto-approve")
	acctest.ExpectCalls(w.T, w.e)
	if got := w.id(address); got != id {
		w.Fatalf("%s was %s and is %s after the import", address, id, got)
	}
	w.expectNoChange()
}

// driveImportByIdentity is for a CLI that has no identities: in process, the import must come to the same as one by id.
func (w *workspace) driveImportByIdentity(name string) {
	w.Helper()
	block := w.shown(name)
	if block == "" {
		return
	}
	address := w.target(block)
	id, typeName := w.id(address), strings.Split(address, ".")[0]
	identity := map[string]any{}
	for _, pair := range importBy.FindAllStringSubmatch(block, -1) {
		identity[pair[1]] = strings.ReplaceAll(pair[2], shownID, id)
		if id == "" { // the object has none: what identifies it is also what imports it
			id = pair[2]
		}
	}
	if shown := importBy.FindStringSubmatch(w.shown("import-by-string-id.tf")); shown != nil {
		id = strings.ReplaceAll(shown[2], shownID, w.id(address))
	}
	d := w.e.NewDriver(w.T, nil)
	byIdentity, diags := d.ImportByIdentity(w.Context(), typeName, identity)
	byID, more := d.Import(w.Context(), typeName, id)
	if diags = slices.Concat(diags, more); acctest.HasErrors(diags) {
		w.Fatal(acctest.DiagText(diags))
	}
	one, err := byIdentity.JSON()
	if err != nil {
		w.Fatal(err)
	}
	if other, err := byID.JSON(); err != nil || one != other {
		w.Errorf("imported by identity %s, by id %s (%v)", one, other, err)
	}
}
