package main

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// TestScan scans a module that calls x/crypto at a version with known vulnerabilities, and at the one that the provider
// uses.
func TestScan(t *testing.T) {
	current, err := output(t.Context(), "go", "list", "-m", "-f", "{{.Version}}", "golang.org/x/crypto")
	if err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct {
		version string
		fails   bool
	}{
		{"v0.50.0", true},
		{strings.TrimSpace(string(current)), false},
	} {
		t.Run(test.version, func(t *testing.T) {
			scan := exec.CommandContext(t.Context(), "../vulnerabilities.sh", moduleWith(t, test.version))
			scan.Env = append(os.Environ(), "DB=snapshot")
			said, err := scan.CombinedOutput()
			if failed := err != nil; failed != test.fails {
				t.Errorf("fails: %t, %v\n%s", failed, err, said)
			}
			if found := bytes.Contains(said, []byte("Found in: golang.org/x/crypto@"+test.version)); found != test.fails {
				t.Errorf("finds it: %t\n%s", found, said)
			}
		})
	}
}

// moduleWith writes a module that calls x/crypto at a version, vendored with nothing in it but the function that it
// calls.
func moduleWith(t *testing.T, version string) string {
	t.Helper()
	folder := t.TempDir()
	for name, text := range map[string]string{
		"go.mod":                                "module example.com/old\n\ngo 1.26\n\nrequire golang.org/x/crypto " + version + "\n",
		"main.go":                               "package main\n\nimport \"golang.org/x/crypto/ssh\"\n\nfunc main() { ssh.NewClientConn() }\n",
		"vendor/modules.txt":                    "# golang.org/x/crypto " + version + "\n## explicit; go 1.25.0\ngolang.org/x/crypto/ssh\n",
		"vendor/golang.org/x/crypto/ssh/ssh.go": "// Package ssh stands for the real one.\npackage ssh\n\n// NewClientConn is what the provider calls.\nfunc NewClientConn() {}\n",
	} {
		file := filepath.Join(folder, name)
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return folder
}
