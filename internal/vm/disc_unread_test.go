package vm_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/acctest"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/emulator"
)

// TestPurgedDiscLeavesTheState: a disc that the update has purged leaves the state even if the machine can no longer be
// read. Otherwise the next refresh would report that somebody else purged it.
func TestPurgedDiscLeavesTheState(t *testing.T) {
	inBubble(t, func(t *testing.T, d *acctest.Driver, e *acctest.Emulator) {
		ctx, after := t.Context(), configured(given{"disc": discs("vda:25600")})
		o := d.MustApply(ctx, vmType, nil, configured(given{"disc": discs("vda:25600", "vdb:5000")}))
		plan := d.Plan(ctx, vmType, d.MustRefresh(ctx, o), after)
		purged := false
		mend := e.Inject(emulator.Fault{Status: http.StatusForbidden, Match: func(r emulator.Request) bool {
			unread := purged
			purged = purged || r.Method == http.MethodDelete
			return unread && r.Method == http.MethodGet
		}})
		o, diags := d.Apply(ctx, vmType, plan)
		if said := acctest.DiagText(diags); !strings.Contains(said, "Cannot read virtual machine") || len(acctest.Blocks(o.Get("disc"))) != 1 {
			t.Errorf("the state has the discs %v:\n%s", o.Get("disc"), said)
		}
		mend()
		d = e.NewDriver(t, nil)
		o, diags = d.Refresh(ctx, o)
		if len(diags) > 0 {
			t.Errorf("the next refresh says\n%s", acctest.DiagText(diags))
		}
		d.ExpectPlan(ctx, o, after, noop)
	})
}

// TestPurgeOfADiscThatIsNotShown: its machine is answered without the list of discs. The disc's own 404 does not prove that
// it is gone, and its own answer not that its path leads to it: another disc may have that ID as its label. Nothing is sent,
// and it stays in the state.
func TestPurgeOfADiscThatIsNotShown(t *testing.T) {
	t.Parallel()
	for name, status := range map[string]int{"it is denied": http.StatusNotFound, "it is shown": 0} {
		inBubbleNamed(t, name, func(t *testing.T, d *acctest.Driver, e *acctest.Emulator) {
			ctx := t.Context()
			o := d.MustApply(ctx, vmType, nil, configured(given{"disc": discs("vda:25600", "vdb:5000")}))
			plan := d.Plan(ctx, vmType, d.MustRefresh(ctx, o), configured(given{"disc": discs("vda:25600")}))
			machine := e.Machines()[0]
			lookalike := e.AddDisc(machine.ID, emulator.Disc{Label: o.Get("disc.1.id").(string), Size: 5000})
			unshown := func(r emulator.Request) bool {
				return r.Method == http.MethodGet && strings.Contains(r.Path, "/virtual_machines/") && !strings.Contains(r.Path, "/discs")
			}
			e.Inject(emulator.Fault{Match: unshown, Rewrite: func(status int, header http.Header, body []byte) (int, http.Header, []byte) {
				return status, header, bytes.Replace(body, []byte(`"discs":`), []byte(`"later":`), 1)
			}})
			if status != 0 {
				e.Inject(emulator.Fault{Match: func(r emulator.Request) bool { return strings.HasPrefix(r.Path, "/discs/") }, Status: status})
			}
			e.ResetJournal()
			o, diags := d.Apply(ctx, vmType, plan)
			acctest.ExpectError(t, acctest.Errors(diags), "without its discs", "Nothing was changed")
			expectSent(t, e, "")
			if left := acctest.Blocks(o.Get("disc")); len(left) != 2 {
				t.Errorf("the state has the discs %v", left)
			}
			if now, _ := e.Machine(machine.ID); len(now.Discs) != 3 || now.Discs[2].ID != lookalike {
				t.Errorf("the service has %+v", now.Discs)
			}
		})
	}
}

// TestDiscThatIsNotShownAmongOthers: the machine is answered with its boot disc alone, while the other disc is there. What
// a colleague has given it since the plan is not overwritten.
func TestDiscThatIsNotShownAmongOthers(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		to        string
		elsewhere func(*emulator.Machine)
	}{
		"label": {"data:1024", func(m *emulator.Machine) { m.Discs[1].Label = "theirs" }},
		"size":  {"vdb:4096", func(m *emulator.Machine) { m.Discs[1].Size = 2048 }},
	} {
		inBubbleNamed(t, name, func(t *testing.T, d *acctest.Driver, e *acctest.Emulator) {
			ctx := t.Context()
			o := d.MustRefresh(ctx, d.MustApply(ctx, vmType, nil, configured(given{"disc": discs("vda:25600", "vdb:1024")})))
			plan := d.Plan(ctx, vmType, o, configured(given{"disc": discs("vda:25600", test.to)}))
			changeMachine(t, e, test.elsewhere)
			e.Inject(emulator.Fault{Match: func(r emulator.Request) bool {
				return r.Method == http.MethodGet && strings.Contains(r.Path, "/virtual_machines/") && !strings.Contains(r.Path, "/discs")
			}, Rewrite: func(status int, header http.Header, body []byte) (int, http.Header, []byte) {
				var vm map[string]any
				if json.Unmarshal(body, &vm) == nil {
					if all, ok := vm["discs"].([]any); ok && len(all) > 1 {
						vm["discs"] = all[:1]
					}
				}
				body, _ = json.Marshal(vm)
				return status, header, body
			}})
			e.ResetJournal()
			_, diags := d.Apply(ctx, vmType, plan)
			if !acctest.HasErrors(diags) {
				t.Error("it is no error")
			}
			expectSent(t, e, "")
		})
	}
}

// TestDiscFoundAfterAFailureIsSaid: a disc that a colleague has added while the request for ours failed is taken for ours. Machines
// and groups say so.
func TestDiscFoundAfterAFailureIsSaid(t *testing.T) {
	inBubble(t, func(t *testing.T, d *acctest.Driver, e *acctest.Emulator) {
		ctx := t.Context()
		o := d.MustRefresh(ctx, d.MustApply(ctx, vmType, nil, configured(off)))
		id := onlyMachine(t, e).ID
		plan := d.Plan(ctx, vmType, o, configured(off, given{"disc": discs("vda:25600", "data:1024")}))
		done := make(chan int64, 1)
		e.Inject(emulator.Fault{Times: 1, Status: http.StatusBadGateway, Match: func(r emulator.Request) bool {
			if r.Method == http.MethodPost && strings.HasSuffix(r.Path, "/discs") {
				go func() { done <- e.AddDisc(id, emulator.Disc{Label: "data", Size: 1024}) }()
				return true
			}
			return false
		}})
		o, diags := d.Apply(ctx, vmType, plan)
		theirs := <-done
		want := fmt.Sprintf("disc %d was found with the label \"data\"", theirs)
		if text := acctest.DiagText(diags); o.Get("disc.1.id") != idOf(theirs) || !strings.Contains(text, want) || !strings.Contains(text, "disc.1.label") {
			t.Errorf("the state has disc %v; it should say %q:\n%s", o.Get("disc.1.id"), want, text)
		}
	})
}
