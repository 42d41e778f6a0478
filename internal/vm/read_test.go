package vm_test

import (
	"net/http"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/acctest"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/emulator"
)

// TestReadBelievesTheServiceAlone: a machine is gone only if its account is visible. A wrong base path answers 404 to
// everything, and an HTML page with status 404 comes from a proxy.
func TestReadBelievesTheServiceAlone(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		kind, body string
		gone       bool
	}{
		"a page":       {kind: "text/html; charset=utf-8", body: "<html><body>Not Found</body></html>"},
		"JSON":         {kind: "application/json", body: `{"error":"not found"}`, gone: true},
		"plain text":   {kind: "text/plain", body: "not found", gone: true},
		"nothing said": {gone: true},
	} {
		inBubbleNamed(t, name, func(t *testing.T, d *acctest.Driver, e *acctest.Emulator) {
			ctx := t.Context()
			o := d.MustApply(ctx, vmType, nil, configured())
			machine := emulator.Fault{
				Status: http.StatusNotFound, Header: http.Header{"Content-Type": {test.kind}}, Body: test.body,
				Match: func(r emulator.Request) bool { return strings.Contains(r.Path, "virtual_machines") },
			}
			everything := machine
			everything.Match = nil
			for _, fault := range []emulator.Fault{everything, machine} {
				if fault.Match != nil && test.gone {
					e.Purge(onlyMachine(t, e).ID) // otherwise its account lists it
				}
				remove := e.Inject(fault)
				read, diags := e.NewDriver(t, nil).Refresh(ctx, o)
				remove()
				if fault.Match != nil && test.gone {
					if read != nil || acctest.HasErrors(diags) {
						t.Errorf("kept: %v\n%s", read, acctest.DiagText(diags))
					}
					return
				}
				acctest.ExpectError(t, diags, `Cannot read virtual machine "web1"`, "404 Not Found", "tate is unchanged")
				d.ExpectPlan(ctx, read, configured(), noop)
			}
		})
	}
}

// TestEditedTimeouts: an invalid timeout in the state is replaced by the default.
func TestEditedTimeouts(t *testing.T) {
	inBubble(t, func(t *testing.T, d *acctest.Driver, e *acctest.Emulator) {
		ctx := t.Context()
		o := editState(t, d.MustApply(ctx, vmType, nil, configured(given{"timeouts.delete": "5m"})), "timeouts.delete", "0s")
		d.MustApply(ctx, vmType, o, nil)
		expectNoMachine(t, e)
	})
}

// TestStateWithoutIdentity: a CLI without identities wrote the state, and the provider may not be configured yet. Every
// path out of a read sets the identity.
func TestStateWithoutIdentity(t *testing.T) {
	inBubble(t, func(t *testing.T, d *acctest.Driver, e *acctest.Emulator) {
		stripped := *d.MustApply(t.Context(), vmType, nil, configured())
		stripped.Identity = nil
		for _, settings := range []given{nil, {"endpoint": acctest.Unknown}, {"token": acctest.Unknown}, {"max_retries": 0}} {
			if settings["max_retries"] != nil {
				e.Inject(emulator.Fault{Status: 202}) // not described at the moment
			}
			d := e.NewDriver(t, settings)
			o, diags := d.Refresh(t.Context(), &stripped)
			for _, config := range []object{configured(), configured(given{"keymap": "de"}), nil} {
				diags = append(diags, d.Plan(t.Context(), vmType, &stripped, config).Diagnostics...)
			}
			if text := acctest.DiagText(diags); blamesProvider(text) || o.GetIdentity("id") != stripped.Get("id") {
				t.Errorf("identity %v\n%s", o.GetIdentity("id"), text)
			}
		}
	})
}

// TestPrivateStateOfAPlainMachine: it is empty.
func TestPrivateStateOfAPlainMachine(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		config  given
		private string
	}{
		"plain":              {image, ""},
		"without an image":   {nil, "no_image"},
		"protected":          {with(image, "deletion_protection", true), ""},
		"with all it can be": {given{"reimage.distribution": "bookworm", "reimage.root_password": "x1y2z3", "group": "private", "ips.ipv4": "192.0.2.10", "cores": 2, "power_on": true}, ""},
	} {
		inBubbleNamed(t, name, func(t *testing.T, d *acctest.Driver, e *acctest.Emulator) {
			ctx := t.Context()
			o := d.MustApply(ctx, vmType, nil, configured(test.config))
			for range 2 {
				if text := privateState(t, o); (text == "") != (test.private == "") || !strings.Contains(text, test.private) {
					t.Errorf("private state %q", text)
				}
				o = d.MustApply(ctx, vmType, d.MustRefresh(ctx, o), configured(test.config, given{"keymap": "de"}))
			}
		})
	}
}

// TestUpdateOfASoftDeletedMachine: the machine stays in the state, and the error or the next refresh says that it can be
// undeleted.
func TestUpdateOfASoftDeletedMachine(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		after time.Duration
		says  []string
	}{
		"before":    {says: []string{"Cannot stop", "404 Not Found", "Nothing was changed."}},
		"meanwhile": {after: time.Second, says: []string{"Cannot stop", "is soft-deleted", "cloudserver_vm_undelete"}},
	} {
		inBubbleNamed(t, name, func(t *testing.T, d *acctest.Driver, e *acctest.Emulator) {
			ctx := t.Context()
			o := d.MustApply(ctx, vmType, nil, configured(given{"cores": 1, "allow_stopping_for_update": true}))
			plan := d.Plan(ctx, vmType, o, configured(given{"cores": 2, "allow_stopping_for_update": true}))
			id := onlyMachine(t, e).ID
			time.AfterFunc(test.after, func() { e.SoftDelete(id) })
			synctest.Wait()
			kept, diags := d.Apply(ctx, vmType, plan)
			expectSays(t, diags, test.says...)
			if kept == nil {
				t.Fatal("not in the state")
			}
			_, diags = d.Refresh(ctx, kept)
			expectSays(t, diags, "The machine was soft-deleted elsewhere")
		})
	}
}

// TestReadOfAnotherMachineWithTheID: the service has used the ID again. The other machine is not renamed, its discs are
// not adopted, and it is not destroyed.
func TestReadOfAnotherMachineWithTheID(t *testing.T) {
	inBubble(t, func(t *testing.T, d *acctest.Driver, e *acctest.Emulator) {
		ctx := t.Context()
		o := d.MustApply(ctx, vmType, nil, configured())
		id := onlyMachine(t, e).ID
		changeMachine(t, e, func(m *emulator.Machine) { m.Name = "theirs" })
		e.AddDisc(id, emulator.Disc{Label: "vdb", Size: 25600})
		e.RemoveDisc(id, "vda")
		kept, diags := d.Refresh(ctx, o)
		acctest.ExpectError(t, diags, `error at id: Cannot read virtual machine "web1"`, `is "theirs" now`, "was used again", "Check endpoint", "state rm")
		if kept == nil {
			t.Error("the machine has left the state")
		}
		changeMachine(t, e, func(m *emulator.Machine) { m.Name = "web1" }) // all its discs were exchanged
		if _, diags = d.Refresh(ctx, o); acctest.HasErrors(diags) {
			t.Error(acctest.DiagText(diags))
		}
	})
}

// TestReadOfAnotherService: the account of the state has another ID there. A machine that is not there is not gone.
func TestReadOfAnotherService(t *testing.T) {
	inBubble(t, func(t *testing.T, d *acctest.Driver, e *acctest.Emulator) {
		o := editState(t, d.MustApply(t.Context(), vmType, nil, configured()), "account_id", "99")
		e.Purge(onlyMachine(t, e).ID)
		kept, diags := d.Refresh(t.Context(), o)
		acctest.ExpectError(t, diags, "error at account: Cannot read", "this is another service", "Check endpoint", "state is unchanged")
		if kept == nil {
			t.Error("the machine has left the state")
		}
	})
}
