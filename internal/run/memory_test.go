package run_test

import (
	"testing"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/run"
)

// TestMemoryOfAnAccount: what the objects of an account have in common is known of the account, whichever was noted
// first. If they contradict each other, nothing is.
func TestMemoryOfAnAccount(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		domains []string // of the machines of one account
		want    string
	}{
		"no machine":            {},
		"no hostname":           {domains: []string{"", ""}},
		"one has a hostname":    {domains: []string{"", ".a.example", ""}, want: ".a.example"},
		"all have one domain":   {domains: []string{".a.example", ".a.example"}, want: ".a.example"},
		"they have two domains": {domains: []string{".a.example", ".b.example", ".a.example"}},
	} {
		for first := range max(1, len(test.domains)) {
			var m run.Memory
			m.Note(run.ObjectWithID(run.VirtualMachine, 100), func(k *run.Known) { k.Account, k.Domain = "other", ".c.example" })
			for i := range test.domains {
				id := (first + i) % len(test.domains)
				m.Note(run.ObjectWithID(run.VirtualMachine, int64(id)), func(k *run.Known) { k.Account, k.Domain = "acme", test.domains[id] })
			}
			if got := m.DomainIn("acme"); got != test.want {
				t.Errorf("%s: got %q", name, got)
			}
		}
	}
	var m run.Memory
	group := run.ObjectWithID(run.Group, 5)
	m.Note(group, func(k *run.Known) { k.Account, k.AccountID = "acme", 3 })
	if got := m.AccountID("acme"); got != 3 {
		t.Errorf("the account has the ID %d", got)
	}
	m.Forget(group)
	if got := m.AccountID("acme"); got != 0 || m.Of(group).Account != "" {
		t.Errorf("after its end: %d, %+v", got, m.Of(group))
	}
}
