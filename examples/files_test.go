package examples_test

import (
	"io/fs"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
)

// files returns the files of a folder here that git knows, in all of its folders: what a user left there is not of the
// example.
func files(t *testing.T, folder string) (found []string) {
	t.Helper()
	known, err := knownFiles()
	if err != nil {
		t.Fatalf("git does not say which files are of the repository: %v", err)
	}
	err = filepath.WalkDir(folder, func(path string, _ fs.DirEntry, err error) error {
		if known[filepath.ToSlash(path)] {
			found = append(found, path)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return found
}

// knownFiles asks git for the files of this folder.
var knownFiles = sync.OnceValues(func() (map[string]bool, error) {
	list, err := exec.Command("git", "ls-files", "-z").Output()
	known := map[string]bool{}
	for name := range strings.SplitSeq(string(list), "\x00") {
		known[name] = true
	}
	return known, err
})
