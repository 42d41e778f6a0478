package acctest

import (
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestSentCallsAreOnThePage(t *testing.T) {
	t.Parallel()
	for call, listed := range map[string]bool{
		"GET /definitions": true,
		"DELETE /accounts/a/groups/b/virtual_machines/7":  true,
		"DELETE /accounts/a/groups/b/virtual_machines":    false,
		"PATCH /accounts/a/groups/b/virtual_machines/7":   false,
		"GET /accounts/a/groups/b/virtual_machines/7/ips": false,
	} {
		calls := &sentCalls{}
		if _, err := calls.Write([]byte("12:00:00 " + call + " 200\n")); err != nil {
			t.Fatal(err)
		}
		if err := calls.check(); (err == nil) != listed {
			t.Errorf("%s: %v", call, err)
		}
	}
}

// Every emulator that the provider or the client talks to in a test is watched.
func TestEveryEmulatorIsWatched(t *testing.T) {
	t.Parallel()
	own := []string{
		filepath.Join("internal", "emulator"),                    // its tests send what no client sends
		filepath.Join("internal", "acctest"),                     // NewEmulator, and the documents of the contract
		filepath.Join("internal", "e2e", "stories", "main_test"), // lives longer than any test; its TestMain looks
	}
	root := filepath.Join("..", "..")
	err := filepath.WalkDir(root, func(path string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		name, err := filepath.Rel(root, path)
		if err != nil || entry.IsDir() && (entry.Name() == "build" || entry.Name() == "bench") {
			return filepath.SkipDir
		}
		for _, prefix := range own {
			if strings.HasPrefix(name, prefix) {
				return nil
			}
		}
		if !strings.HasSuffix(name, "_test.go") {
			return nil
		}
		text, err := os.ReadFile(path)
		if strings.Contains(string(text), "emulator.New(") {
			t.Errorf("%s: use acctest.NewEmulator", name)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
}
