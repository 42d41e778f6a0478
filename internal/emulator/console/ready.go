package console

import (
	"os"
	"path/filepath"
)

// writeReady writes the endpoint to a file, and returns a function that removes it. "" is no file.
func writeReady(name, endpoint string) (remove func(), err error) {
	if name == "" {
		return func() {}, nil
	}
	if err := writeFile(name, []byte(endpoint+"\n")); err != nil {
		return nil, err
	}
	// A file that somebody has removed already is fine.
	return func() { _ = os.Remove(name) }, nil
}

// writeFile replaces a file as a whole, so that a reader sees the old or the new content. Only the user can read it.
func writeFile(name string, data []byte) error {
	f, err := os.CreateTemp(filepath.Dir(name), "."+filepath.Base(name)+".*")
	if err != nil {
		return err
	}
	_, err = f.Write(data)
	if err == nil {
		err = f.Sync()
	}
	if closed := f.Close(); err == nil {
		err = closed
	}
	if err == nil {
		err = os.Rename(f.Name(), name)
	}
	if err != nil {
		// The error that matters is err.
		_ = os.Remove(f.Name())
	}
	return err
}

// removeRemains removes what a killed process has left of writing a file.
func removeRemains(name string) {
	remains, err := filepath.Glob(filepath.Join(filepath.Dir(name), "."+filepath.Base(name)+".*"))
	if err != nil {
		return // a name with the characters of a pattern
	}
	for _, remain := range remains {
		// It is harmless when it stays.
		_ = os.Remove(remain)
	}
}
