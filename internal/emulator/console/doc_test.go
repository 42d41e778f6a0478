package console

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestDocNamesEveryFile checks the file maps of this package and of the emulator.
func TestDocNamesEveryFile(t *testing.T) {
	t.Parallel()
	for _, directory := range []string{".", ".."} {
		doc, err := os.ReadFile(filepath.Join(directory, "doc.go"))
		if err != nil {
			t.Fatal(err)
		}
		files, err := filepath.Glob(filepath.Join(directory, "*.*"))
		if err != nil || len(files) < 10 {
			t.Fatalf("%v, %v", files, err)
		}
		for _, file := range files {
			name := filepath.Base(file)
			if info, err := os.Stat(file); err != nil || info.IsDir() || name == "doc.go" || strings.HasSuffix(name, "_test.go") {
				continue
			}
			if !strings.Contains(string(doc), name) {
				t.Errorf("%s does not name %s", filepath.Join(directory, "doc.go"), name)
			}
		}
	}
}
