package emulator

import (
	"net/http"
	"strings"
)

// claim is the right of one vm_create to be the only one in its group (Options.ConcurrentCreateFails).
type claim struct {
	emulator *Emulator
	group    int64
	refused  bool
}

// claimCreate marks the group of a vm_create as busy, from the arrival of the request to its answer. It returns nil for
// every other request.
func (e *Emulator) claimCreate(r *http.Request) *claim {
	values, ok := match(strings.Split(createVM, "/"), r.URL)
	if !ok || r.Method != http.MethodPost || !e.options.ConcurrentCreateFails {
		return nil
	}
	e.mu.Lock()
	defer e.mu.Unlock()
	c := &call{Request: r, store: e.store, path: values}
	c.user = c.store.authenticate(r.Header.Get("Authorization"), e.now())
	g, err := c.group()
	if err != nil {
		return nil
	}
	if e.creating[g.id] {
		return &claim{refused: true}
	}
	e.creating[g.id] = true
	return &claim{emulator: e, group: g.id}
}

// contested reports whether another creation was first.
func (c *claim) contested() bool { return c != nil && c.refused }

// release ends the claim.
func (c *claim) release() {
	if c == nil || c.refused {
		return
	}
	c.emulator.mu.Lock()
	defer c.emulator.mu.Unlock()
	delete(c.emulator.creating, c.group)
}
