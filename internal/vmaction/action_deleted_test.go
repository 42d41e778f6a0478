package vmaction_test

import (
	"bytes"
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/acctest"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/emulator"
)

const vmType = "cloudserver_vm"

// web1 returns the configuration of a machine that a destroy soft-deletes.
func web1() map[string]any {
	return map[string]any{"name": "web1", "purge_on_destroy": false, "disc": []map[string]any{{"label": "vda", "size": 25600}}}
}

// TestUndeleteAndImport brings a soft-deleted machine back without another tool.
func TestUndeleteAndImport(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		d, e := acctest.Drive(t, emulator.Options{}, nil)
		ctx := t.Context()
		o := d.MustApply(ctx, vmType, nil, web1())
		id := o.Get("id").(string)
		d.MustApply(ctx, vmType, o, nil)
		e.ResetJournal()
		d.MustInvoke(ctx, undelete, map[string]any{"virtual_machine_id": id})
		expectSent(t, e, id, `PUT  {"deleted":false}`)
		o = d.MustApply(ctx, vmType, d.MustImport(ctx, vmType, id), web1())
		if is := e.Machines(); len(is) != 1 || is[0].Deleted || text(is[0].ID) != id {
			t.Errorf("the machines are %+v", is)
		}
		d.ExpectPlan(ctx, o, web1(), acctest.ActionNoOp)
	})
}

// TestPurgeFreesTheName: the action purges a soft-deleted machine, and no other.
func TestPurgeFreesTheName(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		d, e := acctest.Drive(t, emulator.Options{}, nil)
		ctx := t.Context()
		o := d.MustApply(ctx, vmType, nil, web1())
		id := o.Get("id").(string)
		e.ResetJournal()
		_, diags := d.Invoke(ctx, purge, map[string]any{"virtual_machine_id": id, "name": "web1"})
		acctest.ExpectError(t, acctest.Errors(diags), "Cannot purge virtual machine "+id, "is not soft-deleted", "destroy its resource")
		expectSent(t, e, id)

		d.MustApply(ctx, vmType, o, nil)
		_, diags = d.Apply(ctx, vmType, d.Plan(ctx, vmType, nil, web1()))
		acctest.ExpectError(t, acctest.Errors(diags), undelete, purge)
		e.ResetJournal()
		_, diags = d.Invoke(ctx, purge, map[string]any{"virtual_machine_id": id, "name": "web2"})
		acctest.ExpectError(t, acctest.Errors(diags), "is named web1, not web2")
		expectSent(t, e, id)
		_, diags = d.Invoke(ctx, purge, map[string]any{"virtual_machine_id": id})
		acctest.ExpectError(t, diags, "name")
		expectSent(t, e, id)
		d.MustInvoke(ctx, purge, map[string]any{"virtual_machine_id": id, "name": "web1"})
		expectSent(t, e, id, "DELETE purge=true")
		d.MustApply(ctx, vmType, nil, web1())
	})
}

// TestPurgeOfWhatIsNotDescribed: somebody has undeleted the machine, and the look is answered with 202. The action has just
// read the machine, so it is not purged, whatever that answer had.
func TestPurgeOfWhatIsNotDescribed(t *testing.T) {
	t.Parallel()
	for name, replace := range map[string][]string{"described": {}, "without hostname and discs": {`"discs":`, `"later":`, `"hostname":`, `"host":`}} {
		t.Run(name, func(t *testing.T) {
			onMachine(t, emulator.Machine{Discs: []emulator.Disc{{Label: "vda", Size: 25600}}}, func(t *testing.T, d *acctest.Driver, e *acctest.Emulator, id int64) {
				e.SoftDelete(id)
				reads := func(r emulator.Request) bool {
					return r.Method == http.MethodGet && strings.HasSuffix(r.Path, "/virtual_machines/"+text(id))
				}
				e.Inject(emulator.Fault{Match: reads, Times: 2, Rewrite: func(status int, header http.Header, body []byte) (int, http.Header, []byte) { // at plan, and as the action begins
					return status, header, []byte(strings.NewReplacer(replace...).Replace(string(body)))
				}})
				e.Inject(emulator.Fault{Match: reads, Status: http.StatusAccepted})
				e.ResetJournal()
				_, diags := d.Invoke(t.Context(), purge, order(id, map[string]any{"name": "web1"}))
				acctest.ExpectError(t, acctest.Errors(diags), "Cannot purge virtual machine", "cannot be described yet")
				expectSent(t, e, text(id))
			})
		})
	}
}

// TestReimageOfAnotherBootDisc: while the guest shuts down, a colleague purges the boot disc that the action has found. The
// image is not installed on another one.
func TestReimageOfAnotherBootDisc(t *testing.T) {
	t.Parallel()
	machine := emulator.Machine{PowerOn: true, Discs: []emulator.Disc{{Label: "vda", Size: 25600}, {Label: "vdb", Size: 1024}}}
	onMachine(t, machine, func(t *testing.T, d *acctest.Driver, e *acctest.Emulator, id int64) {
		e.Inject(emulator.Fault{Times: 1, Match: func(r emulator.Request) bool {
			if strings.HasSuffix(r.Path, "/signal") {
				go func() { // the emulator is busy with this request
					if err := e.Change(id, func(m *emulator.Machine) { m.Discs = m.Discs[1:] }); err != nil {
						t.Error(err)
					}
				}()
			}
			return false
		}})
		_, diags := d.Invoke(t.Context(), reimage, order(id, map[string]any{"distribution": "noble", "allow_stopping": true}))
		acctest.ExpectError(t, acctest.Errors(diags), "the boot disc, is not on virtual machine")
		if is, _ := e.Machine(id); is.Images != 0 || !is.PowerOn {
			t.Errorf("it is %+v", is)
		}
	})
}

// TestReimageOfAMachineThatIsShownWithoutDiscs: if the action does not see which disc the image would erase, it reads the
// machine once more, and then sends nothing. The boot disc leaves while the guest shuts down.
func TestReimageOfAMachineThatIsShownWithoutDiscs(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		times int // 0: always
		says  string
	}{
		"always":                     {0, "without its discs"},
		"as the action begins":       {1, "the boot disc, is not on virtual machine"},
		"as the action begins again": {2, "without its discs"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			machine := emulator.Machine{PowerOn: true, Discs: []emulator.Disc{{Label: "vda", Size: 10240}, {Label: "data", Size: 20480}}}
			onMachine(t, machine, func(t *testing.T, _ *acctest.Driver, e *acctest.Emulator, id int64) {
				d := e.NewDriver(t, map[string]any{"plan_checks": false})
				e.Inject(emulator.Fault{Times: test.times, Match: func(r emulator.Request) bool {
					return r.Method == http.MethodGet && strings.Contains(r.Path, "/virtual_machines/")
				}, Rewrite: func(status int, header http.Header, body []byte) (int, http.Header, []byte) {
					return status, header, bytes.Replace(body, []byte(`"discs":`), []byte(`"later":`), 1)
				}})
				time.AfterFunc(5*time.Second, func() {
					if err := e.Change(id, func(m *emulator.Machine) { m.Discs = m.Discs[1:] }); err != nil {
						t.Error(err)
					}
				})
				e.ResetJournal()
				_, diags := d.Invoke(t.Context(), reimage, order(id, map[string]any{"distribution": "noble", "ssh_public_key": "ssh-ed25519 AAAA", "allow_stopping": true}))
				acctest.ExpectError(t, acctest.Errors(diags), "Cannot reimage virtual machine", test.says)
				if test.times != 1 {
					expectSent(t, e, text(id))
				}
				if is, _ := e.Machine(id); is.Images != 0 || !is.PowerOn {
					t.Errorf("it is %+v", is)
				}
			})
		})
	}
}

// TestActionsOnOneMachineTakeTurns: after three concurrent actions the machine is as the last one requested, and no
// action interferes with the requests of another.
func TestActionsOnOneMachineTakeTurns(t *testing.T) {
	t.Parallel()
	machine := emulator.Machine{PowerOn: true, AutorebootOn: true}
	onMachine(t, machine, func(t *testing.T, d *acctest.Driver, e *acctest.Emulator, id int64) {
		e.ResetJournal()
		var wait sync.WaitGroup
		for _, more := range []map[string]any{{"state": "restart"}, {"state": "restart", "shutdown_timeout": "30s"}, {"state": "restart"}} {
			wait.Go(func() {
				if _, diags := d.Invoke(t.Context(), power, order(id, more)); acctest.HasErrors(diags) {
					t.Error(acctest.DiagText(diags))
				}
			})
		}
		wait.Wait()
		restart := []string{`PUT  {"autoreboot_on":false}`, `POST /signal {"signal":"powerdown"}`, `PUT  {"autoreboot_on":true,"power_on":true}`}
		expectSent(t, e, text(id), slices.Concat(restart, restart, restart)...)
		if is, _ := e.Machine(id); !is.PowerOn || !is.AutorebootOn {
			t.Errorf("power_on %t, autoreboot_on %t", is.PowerOn, is.AutorebootOn)
		}
	})
}
