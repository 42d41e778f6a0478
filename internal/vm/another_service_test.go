package vm_test

import (
	"testing"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/acctest"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/emulator"
)

// TestMachineOfAnotherService: a state that is pointed at another service does not
// take the machine with the same ID there for its own.
func TestMachineOfAnotherService(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		hostname string // in the state
		change   func(m *emulator.Machine)
		refused  bool
	}{
		"renamed here":               {"web1.default.demo.cluster.example", func(m *emulator.Machine) { m.Name = "web9" }, false},
		"the service was renamed":    {"web1.default.demo.old.example", func(*emulator.Machine) {}, false},
		"another name":               {"web1.default.demo.old.example", func(m *emulator.Machine) { m.Name = "web9" }, true},
		"another group":              {"web1.default.demo.old.example", func(m *emulator.Machine) { m.GroupID = 1003 }, true},
		"other discs":                {"web1.default.demo.old.example", func(m *emulator.Machine) { m.Discs[0].ID = 999 }, true},
		"a domain that ends like it": {"web1.default.demo.ster.example", func(m *emulator.Machine) { m.Name = "web9" }, true},
	} {
		inBubbleNamed(t, name, func(t *testing.T, d *acctest.Driver, e *acctest.Emulator) {
			ctx := t.Context()
			o := edited(t, d.MustApply(ctx, vmType, nil, configured()), "hostname", test.hostname)
			meanwhile(t, e, test.change)
			destroy := d.Plan(ctx, vmType, o, nil)
			e.ResetJournal()
			read, diags := d.Refresh(ctx, o)
			if !test.refused {
				if acctest.HasErrors(diags) || read.State.Equal(o.State) {
					t.Error(acctest.DiagText(diags))
				}
				return
			}
			hostname := only(t, e).Hostname
			acctest.ExpectError(t, diags, "error at hostname: Cannot read", test.hostname, hostname, "Check endpoint")
			if !read.State.Equal(o.State) {
				t.Error("the state has changed")
			}
			_, diags = d.Apply(ctx, vmType, destroy) // with -refresh=false
			acctest.ExpectError(t, diags, "error at hostname: Cannot delete", test.hostname, hostname)
			expectSent(t, e, "")
		})
	}
}

// TestUpdateOfASoftDeletedMachine: an undelete finds it as it was.
func TestUpdateOfASoftDeletedMachine(t *testing.T) {
	inBubble(t, func(t *testing.T, d *acctest.Driver, e *acctest.Emulator) {
		ctx := t.Context()
		o := d.MustApply(ctx, vmType, nil, configured(given{"cores": 1, "allow_stopping_for_update": true}))
		plan := d.Plan(ctx, vmType, o, configured(given{"cores": 2, "allow_stopping_for_update": true}))
		e.SoftDelete(only(t, e).ID)
		kept, diags := d.Apply(ctx, vmType, plan)
		expectSays(t, diags, "error: Cannot stop", "is soft-deleted", "cloudserver_vm_undelete")
		if kept == nil || !only(t, e).AutorebootOn {
			t.Errorf("kept %v, %+v", kept, only(t, e))
		}
	})
}
