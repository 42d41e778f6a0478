package worldfile

import (
	_ "embed" // the default world
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"time"
)

// defaultWorld has two accounts and three users, one with a second factor.
//
//go:embed world.json
var defaultWorld []byte

// Seed returns the world to begin with: that of a file, or the default world for "".
func Seed(name string) ([]byte, error) {
	if name == "" {
		return defaultWorld, nil
	}
	data, err := read(name)
	if err != nil {
		return nil, fmt.Errorf("seed: %w", err)
	}
	return data, nil
}

// FirstID returns the number after which a process that starts now assigns IDs. It grows by ten thousand per second,
// faster than IDs are assigned, so that another emulator is another service.
func FirstID(now time.Time) int64 {
	return now.Sub(time.Date(2026, time.January, 1, 0, 0, 0, 0, time.UTC)).Milliseconds() * 10
}

// read reads a file. One that is not regular is refused, because reading a device or a pipe may never end.
func read(name string) ([]byte, error) {
	info, err := os.Stat(name)
	if err != nil {
		return nil, err
	}
	if !info.Mode().IsRegular() {
		return nil, fmt.Errorf("%s is not a regular file", name)
	}
	return os.ReadFile(name)
}

// write replaces a file atomically: a reader sees either the old or the new content, even if the process is killed.
// Only the user can read the file.
func write(name string, data []byte) error {
	// The name is always the same, so that a killed process leaves at most one file behind.
	part := filepath.Join(filepath.Dir(name), "."+filepath.Base(name)+".emulator-new")
	if err := os.Remove(part); err != nil && !errors.Is(err, os.ErrNotExist) {
		return err
	}
	err := os.WriteFile(part, data, 0o600)
	if err == nil {
		err = rename(part, name)
	}
	if err != nil {
		err = errors.Join(err, os.Remove(part))
	}
	return err
}
