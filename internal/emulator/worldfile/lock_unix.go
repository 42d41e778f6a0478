// SPDX-License-Identifier: MPL-2.0

//go:build unix

package worldfile

import (
	"errors"
	"os"
	"syscall"
)

// tryLock locks a file for this process. It returns errLocked if another process holds the lock. The lock ends with the
// process; the file stays.
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
	return func() { _ = f.Close() }, nil // releases the lock
}

// rename replaces one file by another.
func rename(from, to string) error { return os.Rename(from, to) }
