// SPDX-License-Identifier: MPL-2.0

package worldfile

import (
	_ "embed" // the default world
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
	data, err := os.ReadFile(name)
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

// write replaces a file atomically: a reader sees either the old or the new content, even if the process is killed.
// Only the user can read the file.
func write(name string, data []byte) error {
	// The name is always the same, so that a killed process leaves at most one file behind.
	part := filepath.Join(filepath.Dir(name), "."+filepath.Base(name)+".emulator-new")
	if err := os.WriteFile(part, data, 0o600); err != nil {
		return err
	}
	return rename(part, name)
}
