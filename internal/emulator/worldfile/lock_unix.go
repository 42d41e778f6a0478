//go:build unix

package worldfile

import (
	"errors"
	"os"
	"syscall"
)

// tryLock locks a file for this process, unless another one has locked it: errLocked. Where the process ends, the lock does. The
// file stays.
func tryLock(name string) (unlock func(), err error) {
	f, err := os.OpenFile(name, os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil {
		return nil, err
	}
	if err := syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB); err != nil {
		if errors.Is(err, syscall.EWOULDBLOCK) {
			err = errLocked
		}
		return nil, errors.Join(err, f.Close())
	}
	locked, err := f.Stat()
	if err == nil {
		if present, gone := os.Stat(name); gone != nil || !os.SameFile(locked, present) {
			err = errLocked // somebody has removed the file meanwhile: it is no lock any more
		}
	}
	if err != nil {
		return nil, errors.Join(err, f.Close())
	}
	return func() { _ = f.Close() }, nil // which unlocks it
}

// rename puts a file in place of another one.
func rename(from, to string) error { return os.Rename(from, to) }
