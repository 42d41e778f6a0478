// SPDX-License-Identifier: MPL-2.0

package worldfile

import (
	"errors"
	"os"
	"syscall"
	"time"
)

const sharingViolation = syscall.Errno(32)

// tryLock locks a file for this process. It returns errLocked if another process holds the lock: a file that is opened
// without sharing can be opened only once. The lock ends with the process; the file stays.
func tryLock(name string) (unlock func(), err error) {
	path, err := syscall.UTF16PtrFromString(name)
	if err != nil {
		return nil, err
	}
	handle, err := syscall.CreateFile(
		path, syscall.GENERIC_READ|syscall.GENERIC_WRITE, 0, nil, syscall.OPEN_ALWAYS, syscall.FILE_ATTRIBUTE_NORMAL, 0,
	)
	if errors.Is(err, sharingViolation) {
		return nil, errLocked
	}
	if err != nil {
		return nil, &os.PathError{Op: "lock", Path: name, Err: err}
	}
	return func() { _ = syscall.CloseHandle(handle) }, nil
}

// rename replaces one file by another. A virus scanner or an editor may have either of them open for a moment.
func rename(from, to string) error {
	for wait := time.Millisecond; ; wait *= 2 {
		err := os.Rename(from, to)
		if err == nil || wait > time.Second ||
			!errors.Is(err, sharingViolation) && !errors.Is(err, syscall.ERROR_ACCESS_DENIED) {
			return err
		}
		<-time.After(wait)
	}
}
