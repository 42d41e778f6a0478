package cloudserver

import (
	"encoding/json"
	"sync"
)

// familiar decodes listings of machines, and each machine only when it has
// changed since the last listing of its group. While a thousand machines are
// created their group is listed a hundred times, and little of it is new.
// Machines are shared between the listings: nobody may change one.
type familiar struct {
	mu     sync.Mutex
	groups map[string]map[string]*listed // path of the listing → JSON of a machine
}

// listed is a machine, and what it was decoded from.
type listed struct {
	text    string
	machine VirtualMachine
}

// decode gives the machines of a listing, in its order.
func (f *familiar) decode(path string, texts []json.RawMessage) ([]VirtualMachine, error) {
	known := f.last(path)
	now := make(map[string]*listed, len(texts))
	machines := make([]VirtualMachine, len(texts))
	for i, text := range texts {
		one, ok := known[string(text)]
		if !ok {
			one = &listed{text: string(text)}
			if err := one.machine.UnmarshalJSON(text); err != nil {
				return nil, err
			}
		}
		machines[i], now[one.text] = one.machine, one
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	f.groups[path] = now
	return machines, nil
}

// last is the last listing of the path. It does not change any more.
func (f *familiar) last(path string) map[string]*listed {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.groups[path]
}
