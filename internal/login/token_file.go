package login

import (
	"fmt"
	"os"
	"path/filepath"
)

// tokenFile is written to a temporary file in the same folder and renamed once it is complete, so that nobody reads
// half a token.
type tokenFile struct {
	path string
	file *os.File
}

// newTokenFile returns a file that only its owner can read. A symbolic link is
// refused: replacing it would leave the old token in its target.
func newTokenFile(path string) (*tokenFile, error) {
	if target, err := os.Readlink(path); err == nil {
		return nil, fmt.Errorf("cannot write the session: %s is a symbolic link: name its target, %s", path, target)
	}
	if info, err := os.Stat(path); err == nil && !info.Mode().IsRegular() {
		return nil, fmt.Errorf("cannot write the session: %s is not a regular file", path)
	}
	file, err := os.CreateTemp(filepath.Dir(path), "."+filepath.Base(path)+"-*") // with mode 0600
	if err != nil {
		return nil, fmt.Errorf("cannot write the session: %w", err)
	}
	return &tokenFile{path, file}, nil
}

// save writes the token and renames the file to path.
func (f *tokenFile) save(token string) error {
	_, err := f.file.WriteString(token + "\n")
	if err == nil {
		err = f.file.Sync()
	}
	if closeErr := f.file.Close(); err == nil {
		err = closeErr
	}
	if err == nil {
		err = os.Rename(f.file.Name(), f.path)
	}
	if err != nil {
		return fmt.Errorf("cannot write the session: %w", err)
	}
	return nil
}

// discard removes the file unless it was saved.
func (f *tokenFile) discard() {
	_ = f.file.Close()
	_ = os.Remove(f.file.Name()) // has no effect after save: the file has another name
}
