package emulator

import (
	"net/http"
	"strings"
)

// claimCreate returns whether a request is a vm_create that arrives while another one is running in its group
// (Options.ConcurrentCreateFails). It is running until release is called.
func (e *Emulator) claimCreate(r *http.Request) (contested bool, release func()) {
	group, ok := strings.CutSuffix(r.URL.Path, "/vm_create")
	if !ok || r.Method != http.MethodPost || !e.options.ConcurrentCreateFails {
		return false, func() {}
	}
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.creating[group] {
		return true, func() {}
	}
	e.creating[group] = true
	return false, func() {
		e.mu.Lock()
		defer e.mu.Unlock()
		delete(e.creating, group)
	}
}
