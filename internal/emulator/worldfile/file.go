package worldfile

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
)

// maxWorld bounds the size of a seed or a state, in bytes.
const maxWorld = 256 << 20

// Read reads a seed or a state. A file that is not regular, or is too large, is refused before it is opened: reading a
// device or a pipe may never end.
func Read(name string) ([]byte, error) { return read(name, nil) }

// read is Read into a buffer, if the buffer is large enough.
func read(name string, buffer []byte) ([]byte, error) {
	info, err := os.Stat(name)
	if err != nil {
		return nil, err
	}
	if !info.Mode().IsRegular() {
		return nil, fmt.Errorf("%s is not a regular file", name)
	}
	if info.Size() > maxWorld {
		return nil, fmt.Errorf("%s is larger than %d MiB", name, maxWorld>>20)
	}
	f, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	defer func() { _ = f.Close() }() // it is only read
	data := slices.Grow(buffer[:0], int(info.Size())+1)
	for {
		n, err := f.Read(data[len(data):cap(data)])
		data = data[:len(data)+n]
		switch {
		case errors.Is(err, io.EOF):
			return data, nil
		case err != nil:
			return nil, err
		case len(data) > maxWorld:
			return nil, fmt.Errorf("%s is larger than %d MiB", name, maxWorld>>20)
		case len(data) == cap(data):
			data = slices.Grow(data, 512)
		}
	}
}

// Write replaces a file atomically: a reader sees either the old or the new content, even if the process is killed.
// Only the user can read the file. If name is a symbolic link, its target is replaced.
func Write(name string, data []byte) error {
	target, err := followed(name)
	if err != nil {
		return err
	}
	// The name is always the same, so that no other file is ever removed, and a killed process leaves at most one file
	// behind.
	part := filepath.Join(filepath.Dir(target), "."+filepath.Base(target)+".emulator-new")
	if err := os.Remove(part); err != nil && !errors.Is(err, os.ErrNotExist) {
		return err
	}
	f, err := os.OpenFile(part, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return err
	}
	_, err = f.Write(data)
	if err = errors.Join(err, f.Close()); err == nil {
		err = rename(part, target)
	}
	if err != nil {
		err = errors.Join(err, os.Remove(part))
	}
	return err
}

// CheckReplaceable returns an error if a file exists that must not be replaced: it is neither empty nor, as recognise
// reports of its content, of the kind that would be written. what names that kind.
func CheckReplaceable(name, what string, recognise func([]byte) bool) error {
	data, err := Read(name)
	switch {
	case errors.Is(err, os.ErrNotExist):
		return nil
	case err != nil:
		return err
	case len(data) > 0 && !recognise(data):
		return fmt.Errorf("%s exists and is not %s, so it is not replaced: name another file", name, what)
	}
	return nil
}

// followed returns the target of a name. It need not exist.
func followed(name string) (string, error) {
	target, err := filepath.EvalSymlinks(name)
	if err == nil {
		return target, nil
	}
	if info, linkErr := os.Lstat(name); linkErr == nil && info.Mode()&os.ModeSymlink != 0 {
		return "", fmt.Errorf("%s is a symbolic link to nothing", name)
	}
	return name, nil
}
