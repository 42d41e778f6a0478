package cloudserver

import (
	"crypto/sha256"
	"encoding/json"
	"slices"
	"sync"
)

// familiar decodes lists of machines, and each machine only when it has changed
// since the same list was read last. While a thousand machines are created their
// group is listed a hundred times, and little of it is new. Machines are shared
// between the lists: nobody may change one.
type familiar struct {
	mu    sync.Mutex
	lists map[string]map[fingerprint]*VirtualMachine // by path and query
	off   bool                                       // every machine is decoded
}

// fingerprint stands for the JSON of a machine.
type fingerprint [sha256.Size]byte

// decode returns the machines of a list, in its order.
func (f *familiar) decode(path string, elements []json.RawMessage) ([]VirtualMachine, error) {
	known := f.last(path)
	now := make(map[fingerprint]*VirtualMachine, len(elements))
	machines := make([]VirtualMachine, len(elements))
	for i, element := range elements {
		sum := sha256.Sum256(element)
		if machine, ok := known[sum]; ok && !f.off {
			machines[i] = *machine
		} else if err := machines[i].UnmarshalJSON(element); err != nil {
			return nil, err
		}
		now[sum] = &machines[i]
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	f.lists[path] = now
	return slices.Clone(machines), nil // the caller may sort it
}

// last returns the last list of the path. It does not change any more.
func (f *familiar) last(path string) map[fingerprint]*VirtualMachine {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.lists[path]
}
