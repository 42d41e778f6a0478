package vm_test

import (
	"bytes"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/acctest"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/emulator"
)

// switches makes another service answer as soon as a request with this method, and this text in its path or body, was
// answered. The other service has machines with the same IDs, names and groups. Requests that it would carry out are in
// the journal like all others.
func switches(e *acctest.Emulator, method, text string) {
	switched := false
	e.Inject(emulator.Fault{
		Match: func(r emulator.Request) bool {
			before := switched
			switched = switched || r.Method == method && strings.Contains(r.Path+" "+string(r.Body), text)
			return before
		},
		Rewrite: func(status int, header http.Header, body []byte) (int, http.Header, []byte) {
			body = bytes.ReplaceAll(body, []byte(emulator.ClusterDomain), []byte("cluster.elsewhere"))
			return status, header, bytes.ReplaceAll(body, []byte(`"vda"`), []byte(`"theirs"`))
		},
	})
}

// TestServiceChangesDuringACreation: the answer to vm_create is the service's, and the wait sees another one's machine.
// Its hostname enters no state, so that no destroy purges it.
func TestServiceChangesDuringACreation(t *testing.T) {
	inWorld(t, emulator.Options{BootTime: 10 * time.Second}, func(t *testing.T, d *acctest.Driver, e *acctest.Emulator) {
		ctx := t.Context()
		switches(e, "POST", "/vm_create")
		o, diags := d.Apply(ctx, vmType, d.Plan(ctx, vmType, nil, configured()))
		acctest.ExpectError(t, diags, `Created virtual machine "web1"`, "another service", "cluster.elsewhere")
		expectState(t, o, given{"hostname": "web1.default.demo." + emulator.ClusterDomain})
		e.ResetJournal()
		left, diags := d.Apply(ctx, vmType, d.Plan(ctx, vmType, o, nil))
		acctest.ExpectError(t, diags, `Cannot delete virtual machine "web1"`, "another service")
		if left == nil {
			t.Error("it has left the state")
		}
		expectSent(t, e, "")
	})
}

// away leads to another service for a while.
type away struct {
	ours, theirs http.RoundTripper
	from, until  time.Time
}

// RoundTrip implements http.RoundTripper.
func (a *away) RoundTrip(r *http.Request) (*http.Response, error) {
	if now := time.Now(); now.After(a.from) && now.Before(a.until) {
		return a.theirs.RoundTrip(r)
	}
	return a.ours.RoundTrip(r)
}

// TestAnotherServiceDeniesAMachineThatIsAwaited: during the wait of a creation another service answers for a while, which
// has the account, but not the machine. The wait goes on: a machine that was taken for gone would be replaced.
func TestAnotherServiceDeniesAMachineThatIsAwaited(t *testing.T) {
	options := emulator.Options{BootTime: 2 * time.Minute}
	inWorld(t, options, func(t *testing.T, _ *acctest.Driver, ours *acctest.Emulator) {
		_, theirs := acctest.Drive(t, options, nil)
		theirs.AddMachine("demo", "default", emulator.Machine{Name: "db1"})
		ours.AddMachine("demo", "default", emulator.Machine{Name: "web0"}) // the next one has an ID that theirs lacks
		theirs.Inject(emulator.Fault{Rewrite: func(status int, header http.Header, body []byte) (int, http.Header, []byte) {
			return status, header, bytes.ReplaceAll(body, []byte(emulator.ClusterDomain), []byte("cluster.elsewhere"))
		}})
		now := time.Now()
		d := ours.NewProcess(t, &away{ours.Transport(), theirs.Transport(), now.Add(45 * time.Second), now.Add(75 * time.Second)}, nil)
		theirs.ResetJournal()
		o, diags := d.Apply(t.Context(), vmType, d.Plan(t.Context(), vmType, nil, configured()))
		if acctest.HasErrors(diags) || !slices.Contains(theirs.AllCalls(), fmt.Sprintf("GET /virtual_machines/%v?view=overview", o.Get("id"))) {
			t.Errorf("asked %q\n%s", theirs.AllCalls(), acctest.DiagText(diags))
		}
	})
}

// TestServiceChangesAfterABareAnswer: the answer to vm_create has the ID alone. What the first look has shown is in the
// state although the wait fails, so that no destroy purges another service's machine.
func TestServiceChangesAfterABareAnswer(t *testing.T) {
	inWorld(t, emulator.Options{BootTime: 10 * time.Second}, func(t *testing.T, d *acctest.Driver, e *acctest.Emulator) {
		ctx := t.Context()
		plan := d.Plan(ctx, vmType, nil, configured())
		e.Inject(bare(t))
		switches(e, "GET", "/virtual_machines/1")
		o, diags := d.Apply(ctx, vmType, plan)
		acctest.ExpectError(t, diags, `Created virtual machine "web1"`, "another service")
		expectState(t, o, given{"hostname": "web1.default.demo." + emulator.ClusterDomain, "disc.0.label": "vda"})
		if o.Get("disc.0.id") == nil {
			t.Error("the disc has no ID")
		}
		e.ResetJournal()
		left, diags := d.Apply(ctx, vmType, d.Plan(ctx, vmType, o, nil))
		acctest.ExpectError(t, diags, `Cannot delete virtual machine "web1"`, "another service")
		if left == nil {
			t.Error("it has left the state")
		}
		expectSent(t, e, "")
	})
}

// TestServiceChangesDuringAnUpdate: from any request on, another service answers. Its machine is neither stopped nor
// started, and its hostname and discs do not enter the state.
func TestServiceChangesDuringAnUpdate(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct{ method, text, sent string }{
		"before it is looked at": {"GET", "", ""},
		"while the guest stops":  {"POST", "/signal", "PUT autoreboot_on=false; signal powerdown"},
	} {
		inBubbleNamed(t, name, func(t *testing.T, d *acctest.Driver, e *acctest.Emulator) {
			ctx := t.Context()
			o := d.MustApply(ctx, vmType, nil, configured(given{"cores": 2, leave: true}))
			plan := d.Plan(ctx, vmType, o, configured(given{"cores": 4, leave: true}))
			e.ResetJournal()
			switches(e, test.method, test.text)
			if test.text == "" {
				_, _ = d.Refresh(ctx, o) // from its second request on, another service answers
			}
			now, diags := d.Apply(ctx, vmType, plan)
			acctest.ExpectError(t, acctest.Errors(diags), "another service")
			expectState(t, now, given{"hostname": "web1.default.demo." + emulator.ClusterDomain, "disc.0.label": "vda", "cores": int64(2)})
			expectSent(t, e, test.sent)
		})
	}
}

// TestServiceChangesBeforeAnImage: a machine waits for its guest to stop, and another service answers. Its machine's boot
// disc is not erased, and no disc of it is purged.
func TestServiceChangesBeforeAnImage(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		was, to given
		sent    string
	}{
		"an image": {with(inPlace, "reimage.revision", "1"), with(inPlace, "reimage.revision", "2"), "PUT autoreboot_on=false; signal powerdown"},
		"a disc": {
			given{"disc": discs("vda:25600", "vdb:1024"), "cores": 2, leave: true},
			given{"disc": discs("vda:25600"), "cores": 4, leave: true},
			"PUT autoreboot_on=false; signal powerdown",
		},
	} {
		inBubbleNamed(t, name, func(t *testing.T, d *acctest.Driver, e *acctest.Emulator) {
			ctx := t.Context()
			o := d.MustApply(ctx, vmType, nil, configured(test.was))
			plan := d.Plan(ctx, vmType, o, configured(test.to))
			e.ResetJournal()
			switches(e, "POST", "/signal")
			_, diags := d.Apply(ctx, vmType, plan)
			acctest.ExpectError(t, acctest.Errors(diags), "another service")
			expectSent(t, e, test.sent)
		})
	}
}

// TestUndescribedMachineIsNotDeleted: a machine that the service has described before is not deleted unseen, when a
// look is answered with 202: it may have a colleague's disc by now.
func TestUndescribedMachineIsNotDeleted(t *testing.T) {
	inBubble(t, func(t *testing.T, d *acctest.Driver, e *acctest.Emulator) {
		ctx := t.Context()
		o := d.MustApply(ctx, vmType, nil, configured())
		destroy := d.Plan(ctx, vmType, o, nil)
		e.ResetJournal()
		e.Inject(emulator.Fault{Match: func(r emulator.Request) bool {
			return r.Method == http.MethodGet && strings.Contains(r.Path, "/virtual_machines/")
		}, Status: http.StatusAccepted})
		left, diags := d.Apply(ctx, vmType, destroy)
		acctest.ExpectError(t, acctest.Errors(diags), "Cannot delete", "cannot be described yet")
		if left == nil {
			t.Error("it has left the state")
		}
		expectSent(t, e, "")
	})
}

// TestLaggingHostnameOfAStagingCopy: the state's hostname is older than a rename, and its domain is below the domain of the
// service that answers. That one's hostname enters no state, and its machine is not destroyed.
func TestLaggingHostnameOfAStagingCopy(t *testing.T) {
	inBubble(t, func(t *testing.T, d *acctest.Driver, e *acctest.Emulator) {
		ctx := t.Context()
		o := d.MustApply(ctx, vmType, nil, configured())
		changeMachine(t, e, func(m *emulator.Machine) { m.Discs[0].Label = "theirs" })
		for _, names := range []string{"renaming-" + idOf(onlyMachine(t, e).ID) + ".default", "web1.renamed"} {
			lags := editState(t, o, "hostname", names+".demo.staging."+emulator.ClusterDomain)
			e.ResetJournal()
			_, diags := e.NewDriver(t, nil).Refresh(ctx, lags)
			acctest.ExpectError(t, acctest.Errors(diags), "another service")
			fresh := e.NewDriver(t, nil)
			left, diags := fresh.Apply(ctx, vmType, fresh.Plan(ctx, vmType, lags, nil))
			acctest.ExpectError(t, acctest.Errors(diags), "error at hostname: Cannot delete", "another service")
			if left == nil {
				t.Error("it has left the state")
			}
			expectSent(t, e, "")

			healed := editState(t, o, "hostname", names+".demo."+emulator.ClusterDomain)
			if healed, diags = e.NewDriver(t, nil).Refresh(ctx, healed); len(diags) > 0 {
				t.Errorf("a hostname that has lagged:\n%s", acctest.DiagText(diags))
			}
			expectState(t, healed, given{"hostname": "web1.default.demo." + emulator.ClusterDomain})
		}
	})
}

// rewritten changes the answers to reads of machines.
func rewritten(e *acctest.Emulator, replace ...string) {
	e.Inject(emulator.Fault{
		Match: func(r emulator.Request) bool {
			return r.Method == http.MethodGet && strings.Contains(r.Path, "/virtual_machines") && !strings.Contains(r.Path, "/discs")
		},
		Rewrite: func(status int, header http.Header, body []byte) (int, http.Header, []byte) {
			return status, header, []byte(strings.NewReplacer(replace...).Replace(string(body)))
		},
	})
}

// withoutDiscs has machines shown without their discs.
func withoutDiscs(e *acctest.Emulator) { rewritten(e, `"discs":`, `"later":`) }

// TestAnswerWithoutHostnameAndDiscs: it says nothing of a machine that was described before. The state is unchanged, and
// nothing is sent.
func TestAnswerWithoutHostnameAndDiscs(t *testing.T) {
	inBubble(t, func(t *testing.T, d *acctest.Driver, e *acctest.Emulator) {
		ctx := t.Context()
		o := d.MustApply(ctx, vmType, nil, configured())
		change := d.Plan(ctx, vmType, o, configured(given{"keymap": "de"}))
		e.ResetJournal()
		rewritten(e, `"discs":`, `"later":`, `"hostname":`, `"host":`, `"name":"web1"`, `"name":"alien"`)
		fresh := e.NewDriver(t, nil)
		expectState(t, fresh.MustRefresh(ctx, o), given{"name": "web1", "hostname": "web1.default.demo." + emulator.ClusterDomain})
		left, diags := fresh.Apply(ctx, vmType, fresh.Plan(ctx, vmType, o, nil))
		acctest.ExpectError(t, acctest.Errors(diags), "Cannot delete", "shows neither the hostname nor the discs", "nothing is sent")
		if left == nil {
			t.Error("it has left the state")
		}
		_, diags = e.NewDriver(t, nil).Apply(ctx, vmType, change)
		acctest.ExpectError(t, acctest.Errors(diags), "Cannot update", "shows neither the hostname nor the discs", "Nothing was changed")
		expectSent(t, e, "")
	})
}

// TestMachineIsShownWithoutDiscs: where discs decide, an answer without them is none: a colleague's disc is not destroyed
// with its machine, and a label that a colleague has set is not overwritten.
func TestMachineIsShownWithoutDiscs(t *testing.T) {
	t.Parallel()
	const says = "without its discs"
	theirs := emulator.Disc{Label: "theirs", Size: 1024}
	inBubbleNamed(t, "destroyed", func(t *testing.T, d *acctest.Driver, e *acctest.Emulator) {
		ctx := t.Context()
		o := d.MustRefresh(ctx, d.MustApply(ctx, vmType, nil, configured()))
		plan := d.Plan(ctx, vmType, o, nil)
		e.AddDisc(onlyMachine(t, e).ID, theirs)
		withoutDiscs(e)
		e.ResetJournal()
		expectApplyFailure(t, e.NewDriver(t, nil), plan, "Cannot delete", says)
		expectSent(t, e, "")
	})
	inBubbleNamed(t, "soft-deleted", func(t *testing.T, d *acctest.Driver, e *acctest.Emulator) {
		ctx := t.Context()
		o := d.MustApply(ctx, vmType, nil, configured(given{"purge_on_destroy": false}))
		withoutDiscs(e)
		e.ResetJournal()
		d.MustApply(ctx, vmType, o, nil)
		expectSent(t, e, "DELETE") // its discs are kept
	})
	for name, after := range map[string]objects{"renamed": discs("vda:25600", "data:1024"), "grown": discs("vda:25600", "vdb:2048"), "purged": discs("vda:25600")} {
		inBubbleNamed(t, "a disc is "+name, func(t *testing.T, d *acctest.Driver, e *acctest.Emulator) {
			ctx := t.Context()
			o := d.MustRefresh(ctx, d.MustApply(ctx, vmType, nil, configured(given{"disc": discs("vda:25600", "vdb:1024")})))
			plan := d.Plan(ctx, vmType, o, configured(given{"disc": after}))
			changeMachine(t, e, func(m *emulator.Machine) { m.Discs[1].Label = "theirs" })
			withoutDiscs(e)
			e.ResetJournal()
			expectApplyFailure(t, e.NewDriver(t, nil), plan, says)
			expectSent(t, e, "")
		})
	}
}

// TestLookIsNotRenewedByAChange: each update takes the service three seconds. The answer to one does not renew the look
// before it, so a label that a colleague has set in the meantime is not overwritten.
func TestLookIsNotRenewedByAChange(t *testing.T) {
	inBubble(t, func(t *testing.T, d *acctest.Driver, e *acctest.Emulator) {
		ctx := t.Context()
		o := d.MustRefresh(ctx, d.MustApply(ctx, vmType, nil, configured(off, given{"cores": 4, "disc": discs("vda:25600", "vdb:1024")})))
		plan := d.Plan(ctx, vmType, o, configured(off, given{"name": "web2", "cores": 2, "disc": discs("vda:25600", "data:1024")}))
		e.ResetJournal()
		e.Inject(emulator.Fault{Match: func(r emulator.Request) bool { return r.Method == http.MethodPut }, Delay: 3 * time.Second})
		time.AfterFunc(time.Second, func() { changeMachine(t, e, func(m *emulator.Machine) { m.Discs[1].Label = "theirs" }) })
		expectApplyFailure(t, d, plan, "error at disc.1.label", `is "theirs" now`)
		expectSent(t, e, "PUT name=web2; PUT cores=2")
	})
}

// TestRepeatedMoveLooksAgain: a move with a rename fails, and meanwhile a colleague renames the machine. The repetition
// does not overwrite that name.
func TestRepeatedMoveLooksAgain(t *testing.T) {
	t.Parallel()
	for name, fault := range map[string]emulator.Fault{"503": {Status: http.StatusServiceUnavailable}, "lost": {Cut: true}} {
		inBubbleNamed(t, name, func(t *testing.T, d *acctest.Driver, e *acctest.Emulator) {
			ctx := t.Context()
			e.AddGroup("demo", "blue", false)
			o := d.MustRefresh(ctx, d.MustApply(ctx, vmType, nil, configured(off)))
			plan := d.Plan(ctx, vmType, o, configured(off, given{"name": "web2", "group": "blue"}))
			fault.Times, fault.Delay = 1, 2*time.Second
			fault.Match = func(r emulator.Request) bool { return r.Method == http.MethodPut }
			e.Inject(fault)
			time.AfterFunc(time.Second, func() { changeMachine(t, e, func(m *emulator.Machine) { m.Name = "theirs" }) })
			expectApplyFailure(t, d, plan, "error at name", `is "theirs" now`)
			if is := onlyMachine(t, e); is.Name != "theirs" || is.Group != "default" {
				t.Errorf("it is %s in %s", is.Name, is.Group)
			}
		})
	}
}
