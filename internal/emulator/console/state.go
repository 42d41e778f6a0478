package console

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
)

// maxWorld bounds the size of a seed or a saved state, in bytes.
const maxWorld = 256 << 20

// stateFile is the file that a world is kept in. Its lock makes sure that one process at a time serves it.
type stateFile struct {
	name   string
	unlock func()
}

// openState locks the file of a state, which need not exist. A symbolic link is followed.
func openState(name string) (*stateFile, error) {
	target, err := followed(name)
	if err != nil {
		return nil, err
	}
	unlock, err := lock(beside(target, "lock"))
	if errors.Is(err, errLocked) {
		return nil, fmt.Errorf("%s is served by another emulator: stop it, or choose another file", name)
	}
	if err != nil {
		return nil, err
	}
	return &stateFile{target, unlock}, nil
}

// read returns the state, nil when there is none yet.
func (f *stateFile) read() ([]byte, error) {
	data, err := readWorld(f.name)
	if errors.Is(err, os.ErrNotExist) {
		return nil, nil
	}
	return data, err
}

// readWorld reads a seed or a state. Whatever is not a regular file, or is too large, is refused before it is opened: reading
// a device or a pipe may never end.
func readWorld(name string) ([]byte, error) {
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
	defer func() { _ = f.Close() }() // it was only read
	return io.ReadAll(io.LimitReader(f, maxWorld))
}

// writeFile replaces a file as a whole, so that a reader sees the old or the new content. Only the user can read it. A
// symbolic link stays, and the file that it names is replaced.
func writeFile(name string, data []byte) error {
	target, err := followed(name)
	if err != nil {
		return err
	}
	// The name is always the same, so nothing else is ever removed, and a killed process leaves one file at most.
	part := beside(target, "new")
	if err := os.Remove(part); err != nil && !errors.Is(err, os.ErrNotExist) {
		return err
	}
	f, err := os.OpenFile(part, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return err
	}
	_, err = f.Write(data)
	if err == nil {
		err = f.Sync()
	}
	err = errors.Join(err, f.Close())
	if err == nil {
		err = os.Rename(part, target)
	}
	if err != nil {
		err = errors.Join(err, os.Remove(part))
	}
	return err
}

// followed returns the file that a name leads to, which need not exist.
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

// beside returns the name of a file of the emulator's own beside another one.
func beside(name, purpose string) string {
	return filepath.Join(filepath.Dir(name), "."+filepath.Base(name)+".emulator-"+purpose)
}
