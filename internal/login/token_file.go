package login

import (
	"fmt"
	"os"
	"path/filepath"
)

// tokenFile is a file that is written next to its place and moved there when it
// is complete, so that nobody reads half a token.
type tokenFile struct {
	place string
	file  *os.File
}

// newTokenFile returns a file that only its owner can read. A symbolic link is
// refused: replacing it would leave the old token in its target.
func newTokenFile(place string) (*tokenFile, error) {
	if target, err := os.Readlink(place); err == nil {
		return nil, fmt.Errorf("cannot write the session: %s is a symbolic link: name its target, %s", place, target)
	}
	if info, err := os.Stat(place); err == nil && !info.Mode().IsRegular() {
		return nil, fmt.Errorf("cannot write the session: %s is not a regular file", place)
	}
	file, err := os.CreateTemp(filepath.Dir(place), "."+filepath.Base(place)+"-*") // with mode 0600
	if err != nil {
		return nil, fmt.Errorf("cannot write the session: %w", err)
	}
	return &tokenFile{place, file}, nil
}

// save writes the token and moves the file to its place.
func (f *tokenFile) save(token string) error {
	_, err := f.file.WriteString(token + "\n")
	if err == nil {
		err = f.file.Sync()
	}
	if closeErr := f.file.Close(); err == nil {
		err = closeErr
	}
	if err == nil {
		err = os.Rename(f.file.Name(), f.place)
	}
	if err != nil {
		return fmt.Errorf("cannot write the session: %w", err)
	}
	return nil
}

// discard removes the file unless it was saved.
func (f *tokenFile) discard() {
	_ = f.file.Close()
	_ = os.Remove(f.file.Name()) // moved away once it is saved
}
