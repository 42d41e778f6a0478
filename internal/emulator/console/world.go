package console

import (
	_ "embed" // the default world
	"time"
)

// defaultWorld is the seed of an emulator without one: two accounts and three users.
//
//go:embed world.json
var defaultWorld []byte

// firstID returns the number after which a process that starts now assigns ids. It grows by ten thousand per second, faster
// than ids are assigned, so that ids never repeat between two processes.
func firstID(now time.Time) int64 {
	return now.Sub(time.Date(2026, time.January, 1, 0, 0, 0, 0, time.UTC)).Milliseconds() * 10
}
