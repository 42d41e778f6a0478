package adopt

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
)

// directory is the directory that files are written into. No file is ever overwritten.
type directory string

// check returns an error if the directory is not empty. It is called before anything is read. A directory that does not
// exist will be created.
func (d directory) check() error {
	entries, err := os.ReadDir(string(d))
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil
	case err != nil:
		return err
	case len(entries) > 0:
		return fmt.Errorf("the directory %s is not empty, and existing configuration is never edited: name one that is empty or does not exist", d)
	}
	return nil
}

// write creates a file. It fails if the file exists.
func (d directory) write(name string, content []byte) error {
	path := filepath.Join(string(d), name)
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return err
	}
	file, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o644)
	if err != nil {
		return err
	}
	_, err = file.Write(content)
	return errors.Join(err, file.Close())
}
