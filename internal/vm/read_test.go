package vm_test

import (
	"net/http"
	"strings"
	"testing"

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

// TestReadLooksTwice: no machine is dropped because of one wrong answer.
func TestReadLooksTwice(t *testing.T) {
	inBubble(t, func(t *testing.T, d *acctest.Driver, e *acctest.Emulator) {
		ctx := t.Context()
		o := d.MustApply(ctx, vmType, nil, configured())
		e.Inject(emulator.Fault{Status: http.StatusNotFound, Times: 1})
		d.ExpectPlan(ctx, o, configured(), noop)
	})
}

// TestEditedID: an ID in the state that is not a positive number is an error, and the machine stays in the state.
func TestEditedID(t *testing.T) {
	t.Parallel()
	for _, id := range []any{"0", "-3", "web1", "", nil, "12345678901234567890"} {
		inBubbleNamed(t, "id", func(t *testing.T, d *acctest.Driver, e *acctest.Emulator) {
			ctx := t.Context()
			o := d.MustApply(ctx, vmType, nil, configured())
			bad := editState(t, o, "id", id)
			e.ResetJournal()
			kept, diags := d.Refresh(ctx, bad)
			acctest.ExpectError(t, diags, "error at id: Cannot read", "is not a positive number", "terraform state rm")
			if kept == nil {
				t.Error("the machine is forgotten")
			}
			for _, config := range []object{configured(given{"keymap": "de"}), nil} {
				plan := d.Plan(ctx, vmType, bad, config)
				diags := plan.Errors()
				if plan.Action != refused {
					_, diags = d.Apply(ctx, vmType, plan)
				}
				acctest.ExpectError(t, acctest.Errors(diags), "is not a positive number")
			}
			expectSent(t, e, "")
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

// TestMachineOfAnotherService: a state that is used with another service does not adopt the machine with the same ID
// there.
func TestMachineOfAnotherService(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		hostname string // in the state
		change   func(m *emulator.Machine)
		refused  bool
	}{
		"renamed here": {
			hostname: "web1.default.demo.cluster.example",
			change:   func(m *emulator.Machine) { m.Name = "web9" },
		},
		"the service was renamed": {hostname: "web1.default.demo.old.example", change: func(*emulator.Machine) {}},
		"another name": {
			hostname: "web1.default.demo.old.example",
			change:   func(m *emulator.Machine) { m.Name = "web9" },
			refused:  true,
		},
		"another group": {
			hostname: "web1.default.demo.old.example",
			change:   func(m *emulator.Machine) { m.GroupID = 1003 },
			refused:  true,
		},
		"other discs": {
			hostname: "web1.default.demo.old.example",
			change:   func(m *emulator.Machine) { m.Discs[0].ID = 999 },
			refused:  true,
		},
		"a domain that ends like it": {
			hostname: "web1.default.demo.ster.example",
			change:   func(m *emulator.Machine) { m.Name = "web9" },
			refused:  true,
		},
		"a domain below that of the state": {
			hostname: "web1.default.demo.example",
			change:   func(m *emulator.Machine) { m.Name = "web9" },
			refused:  true,
		},
		"another label": {
			hostname: "web1.default.demo.old.example",
			change:   func(m *emulator.Machine) { m.Discs[0].Label = "theirs" },
			refused:  true,
		},
		"another size": {
			hostname: "web1.default.demo.old.example",
			change:   func(m *emulator.Machine) { m.Discs[0].Size = 51200 },
			refused:  true,
		},
		"another zone": {
			hostname: "web1.default.demo.old.example",
			change:   func(m *emulator.Machine) { m.ZoneName = "manchester" },
			refused:  true,
		},
	} {
		inBubbleNamed(t, name, func(t *testing.T, d *acctest.Driver, e *acctest.Emulator) {
			ctx := t.Context()
			o := editState(t, d.MustApply(ctx, vmType, nil, configured()), "hostname", test.hostname)
			changeMachine(t, e, test.change)
			destroy := d.Plan(ctx, vmType, o, nil)
			e.ResetJournal()
			read, diags := d.Refresh(ctx, o)
			if !test.refused {
				if acctest.HasErrors(diags) || read.State.Equal(o.State) {
					t.Error(acctest.DiagText(diags))
				}
				if warned := strings.Contains(acctest.DiagText(diags), "The domain of the service has changed"); warned != strings.Contains(test.hostname, "old.example") {
					t.Error(acctest.DiagText(diags))
				}
				return
			}
			hostname := onlyMachine(t, e).Hostname
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

// TestUpdateOfASoftDeletedMachine: nothing is changed, so an undelete restores the machine as it was.
func TestUpdateOfASoftDeletedMachine(t *testing.T) {
	inBubble(t, func(t *testing.T, d *acctest.Driver, e *acctest.Emulator) {
		ctx := t.Context()
		o := d.MustApply(ctx, vmType, nil, configured(given{"cores": 1, "allow_stopping_for_update": true}))
		plan := d.Plan(ctx, vmType, o, configured(given{"cores": 2, "allow_stopping_for_update": true}))
		e.SoftDelete(onlyMachine(t, e).ID)
		kept, diags := d.Apply(ctx, vmType, plan)
		expectSays(t, diags, "Cannot update", "is soft-deleted", "cloudserver_vm_undelete")
		if kept == nil || !onlyMachine(t, e).AutorebootOn {
			t.Errorf("kept %v, %+v", kept, onlyMachine(t, e))
		}
	})
}

// TestDeniedByIDAlone: a service that answers 404 under a machine's ID alone has the machine nevertheless. It is neither
// dropped nor believed to be destroyed, also after a move to a group that the state does not know, whether or not its old group is still there.
func TestDeniedByIDAlone(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct{ moved, removed bool }{
		"as it was":                    {},
		"moved":                        {moved: true},
		"moved, and its group removed": {moved: true, removed: true},
	} {
		inBubbleNamed(t, name, func(t *testing.T, d *acctest.Driver, e *acctest.Emulator) {
			ctx := t.Context()
			group := d.MustApply(ctx, "cloudserver_group", nil, object{"name": "web"})
			o := d.MustApply(ctx, vmType, nil, configured(given{"group": "web"}))
			id := e.Machines()[0].ID
			if test.moved {
				other := e.AddGroup("demo", "other", false)
				changeMachine(t, e, func(m *emulator.Machine) { m.GroupID = other })
			}
			if test.removed {
				e.NewDriver(t, nil).MustApply(ctx, "cloudserver_group", group, nil)
			}
			e.Inject(emulator.Fault{Status: http.StatusNotFound, Match: func(r emulator.Request) bool { return strings.HasPrefix(r.Path, "/virtual_machines/") }})
			d = e.NewDriver(t, nil)
			if read := d.MustRefresh(ctx, o); read == nil {
				t.Error("the machine is dropped")
			}
			e.ResetJournal()
			left, diags := d.Apply(ctx, vmType, d.Plan(ctx, vmType, o, nil))
			if _, lives := e.Machine(id); lives != (left != nil) || lives != acctest.HasErrors(diags) {
				t.Errorf("the state after a destroy: %v\n%s", left.Get(""), acctest.DiagText(diags))
			}
			expectSent(t, e, "DELETE?purge=true")
		})
	}
}
