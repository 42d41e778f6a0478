//go:build unix

package console

import (
	"errors"
	"os"
	"syscall"
)

// errLocked is the error of a lock that another process holds.
var errLocked = errors.New("locked")

// lock locks a file for this process, and returns a function that removes it.
func lock(name string) (unlock func(), err error) {
	for {
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
		if locked, err := f.Stat(); err == nil {
			if present, err := os.Stat(name); err == nil && os.SameFile(locked, present) {
				// Removed while it is locked; a file that somebody has removed already is fine.
				return func() { _, _ = os.Remove(name), f.Close() }, nil
			}
		}
		// Its last holder has removed it meanwhile.
		if err := f.Close(); err != nil {
			return nil, err
		}
	}
}
