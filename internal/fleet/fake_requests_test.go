package fleet_test

import (
	"slices"
	"strings"
	"testing"
)

// count returns how many requests came so far: reads by id, and listings.
func (s *service) count() (gets, lists int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, request := range s.requests {
		if strings.HasPrefix(request, "get ") {
			gets++
		} else {
			lists++
		}
	}
	return gets, lists
}

// wantCount checks how many requests came since the test began.
func (s *service) wantCount(t *testing.T, gets, lists int) {
	t.Helper()
	if gotGets, gotLists := s.count(); gotGets != gets || gotLists != lists {
		t.Errorf("got %d reads by id and %d others, want %d and %d; the first: %q", gotGets, gotLists, gets, lists, s.requests[:min(len(s.requests), 20)])
	}
}

// wantRequests checks what was requested since the last check, in order.
func (s *service) wantRequests(t *testing.T, want ...string) {
	t.Helper()
	s.mu.Lock()
	defer s.mu.Unlock()
	if !slices.Equal(s.requests, want) {
		t.Errorf("got requests %q, want %q", s.requests, want)
	}
	s.requests = nil
}

// kinds returns how many requests of each kind came so far.
func (s *service) kinds() map[string]int {
	s.mu.Lock()
	defer s.mu.Unlock()
	kinds := map[string]int{}
	for _, request := range s.requests {
		kind, _, _ := strings.Cut(request, " ")
		kinds[kind]++
	}
	return kinds
}

// wantKinds checks how many requests of each kind came so far.
func (s *service) wantKinds(t *testing.T, want map[string]int) {
	t.Helper()
	got := s.kinds()
	for kind := range want {
		if got[kind] != want[kind] {
			t.Errorf("got %v, want %v", got, want)
			return
		}
	}
}
