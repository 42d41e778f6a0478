package cloudserver

import (
	"encoding/json"
	"testing"
)

func TestListingsShareWhatHasNotChanged(t *testing.T) {
	t.Parallel()
	f := familiar{lists: map[string]map[fingerprint]*VirtualMachine{}}
	decode := func(path string, texts ...string) []VirtualMachine {
		t.Helper()
		raw := make([]json.RawMessage, len(texts))
		for i, text := range texts {
			raw[i] = json.RawMessage(text)
		}
		machines, err := f.decode(path, raw)
		if err != nil {
			t.Fatal(err)
		}
		return machines
	}
	const one, two, twoOn = `{"id":1,"cores":2}`, `{"id":2,"power_on":false}`, `{"id":2,"power_on":true}`
	first := decode("a", one, two)
	second := decode("a", twoOn, one)
	if first[0].Cores != second[1].Cores {
		t.Error("a machine that has not changed was decoded again")
	}
	if len(second) != 2 || second[0].ID != 2 || !*second[0].PowerOn || *first[1].PowerOn {
		t.Errorf("the changed machine is %+v, and was %+v", second[0], first[1])
	}
	if third := decode("b", one); third[0].Cores == first[0].Cores {
		t.Error("groups share machines")
	}
	if kept := len(f.lists["a"]); kept != 2 {
		t.Errorf("%d machines are kept, want those of the last listing", kept)
	}
	f.off = true
	if fourth := decode("a", one, twoOn); fourth[0].Cores == second[1].Cores || *fourth[0].Cores != *second[1].Cores {
		t.Error("turned off, it has not decoded a machine again, or differently")
	}
}
