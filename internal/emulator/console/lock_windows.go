package console

import (
	"errors"
	"os"
	"syscall"
)

// errLocked is the error of a lock that another process holds.
var errLocked = errors.New("locked")

// lock locks a file for this process, and returns a function that removes it: a file that is shared with nobody can be
// opened once.
func lock(name string) (unlock func(), err error) {
	path, err := syscall.UTF16PtrFromString(name)
	if err != nil {
		return nil, err
	}
	const sharingViolation = syscall.Errno(32)
	handle, err := syscall.CreateFile(path, syscall.GENERIC_READ|syscall.GENERIC_WRITE, 0, nil, syscall.OPEN_ALWAYS, syscall.FILE_ATTRIBUTE_NORMAL, 0)
	if errors.Is(err, sharingViolation) {
		return nil, errLocked
	}
	if err != nil {
		return nil, err
	}
	return func() { _, _ = syscall.CloseHandle(handle), os.Remove(name) }, nil
}
