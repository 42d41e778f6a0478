// SPDX-License-Identifier: MPL-2.0

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

// check returns an error if the directory is not empty. A directory that does not exist will be created.
func (d directory) check() error {
	entries, err := os.ReadDir(string(d))
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil
	case err != nil:
		return err
	case len(entries) > 0:
		return fmt.Errorf("the directory %s is not empty: name one that is empty or does not exist", d)
	}
	return nil
}

// write creates files. It fails if one of them exists.
func (d directory) write(files map[string][]byte) error {
	if err := os.MkdirAll(string(d), 0o755); err != nil {
		return err
	}
	for name, content := range files {
		file, err := os.OpenFile(filepath.Join(string(d), name), os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o644)
		if err != nil {
			return err
		}
		_, err = file.Write(content)
		if err := errors.Join(err, file.Close()); err != nil {
			return err
		}
	}
	return nil
}
