package emulator

import (
	"testing"
	"time"
)

// TestExpiredSessionsAreRemoved checks that sessions which nobody uses do not stay in memory.
func TestExpiredSessionsAreRemoved(t *testing.T) {
	t.Parallel()
	s := newStore(Options{})
	now := time.Now()
	for range 100 {
		s.newSession(DemoUser, nil, 0, now)
	}
	s.newSession(DemoUser, nil, time.Hour, now)
	s.newSession(DemoUser, nil, 0, now.Add(slidingLife))
	if len(s.sessions) != 2 {
		t.Errorf("%d sessions, want the one with a validity and the new one", len(s.sessions))
	}
}
