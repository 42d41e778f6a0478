// SPDX-License-Identifier: MPL-2.0

package login

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// tokenFile is written to a temporary file in the same folder and renamed once it is complete, so that nobody reads
// half a token.
type tokenFile struct {
	path string
	file *os.File
}

// newTokenFile returns a file that only its owner can read.
func newTokenFile(path string) (*tokenFile, error) {
	file, err := os.CreateTemp(filepath.Dir(path), "."+filepath.Base(path)+"-*") // with mode 0600
	if err != nil {
		return nil, fmt.Errorf("cannot write the session: %w", err)
	}
	return &tokenFile{path, file}, nil
}

// maxToken bounds the size of a file that is taken for one with a token.
const maxToken = 4096

// checkReplaceable returns an error if a file exists that is not a session: empty, or one line without spaces that is
// neither JSON nor an API key, which no login would bring back. A symbolic link is refused: replacing it would leave the
// old token in its target.
func checkReplaceable(path string) error {
	if target, err := os.Readlink(path); err == nil {
		return fmt.Errorf("%s is a symbolic link: name its target, %s", path, target)
	}
	if info, err := os.Stat(path); err == nil && !info.Mode().IsRegular() {
		return fmt.Errorf("%s is not a regular file", path)
	}
	content, err := os.ReadFile(path)
	text := strings.TrimRight(string(content), "\r\n")
	switch {
	case errors.Is(err, fs.ErrNotExist), err == nil && len(content) == 0:
		return nil
	case err != nil:
		return err
	case strings.HasPrefix(text, "apikey."):
		return fmt.Errorf("%s has an API key, which would be lost: name another file", path)
	case text == "", len(text) > maxToken, strings.ContainsFunc(text, isForeign):
		return fmt.Errorf("%s exists and has no session, so it is not replaced: name another file", path)
	}
	return nil
}

// isForeign reports whether a character is in no token: whitespace, and what JSON, HCL and markup have.
func isForeign(r rune) bool { return r <= ' ' || r > '~' || strings.ContainsRune(`{}[]"<>`, r) }

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
