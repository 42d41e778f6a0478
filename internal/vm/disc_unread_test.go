package vm_test

import (
	"bytes"
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

// TestMachineIsShownWithoutDiscs: an answer without discs does not show whether a disc is unmanaged, so that nothing is
// purged. A soft delete keeps the discs.
func TestMachineIsShownWithoutDiscs(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		config given
		sent   string
	}{
		"destroyed":    {},
		"soft-deleted": {config: given{"purge_on_destroy": false}, sent: "DELETE"},
	} {
		inBubbleNamed(t, name, func(t *testing.T, d *acctest.Driver, e *acctest.Emulator) {
			ctx := t.Context()
			o := d.MustRefresh(ctx, d.MustApply(ctx, vmType, nil, configured(test.config)))
			plan := d.Plan(ctx, vmType, o, nil)
			e.AddDisc(onlyMachine(t, e).ID, emulator.Disc{Label: "theirs", Size: 1024})
			e.Inject(emulator.Fault{
				Match: func(r emulator.Request) bool {
					return r.Method == http.MethodGet && strings.Contains(r.Path, "/virtual_machines") && !strings.Contains(r.Path, "/discs")
				},
				Rewrite: func(status int, header http.Header, body []byte) (int, http.Header, []byte) {
					return status, header, bytes.ReplaceAll(body, []byte(`"discs":`), []byte(`"later":`))
				},
			})
			e.ResetJournal()
			_, diags := e.NewDriver(t, nil).Apply(ctx, vmType, plan)
			if acctest.HasErrors(diags) != (test.sent == "") {
				t.Error(acctest.DiagText(diags))
			}
			expectSent(t, e, test.sent)
		})
	}
}

// TestDiscThatTheMachineLacks: it stays in the state, unless it is known to be gone or on another machine.
func TestDiscThatTheMachineLacks(t *testing.T) {
	t.Parallel()
	get := func(path string) func(emulator.Request) bool {
		return func(r emulator.Request) bool { return r.Method == http.MethodGet && strings.Contains(r.Path, path) }
	}
	for name, test := range map[string]struct {
		machine string // in the disc's answer, "" for none; "404" for no disc, "hidden" for no account either
		stays   bool
		says    string
	}{
		"its own answer says it is there": {machine: "own", stays: true},
		"its answer does not say where":   {stays: true, says: "The machine of a disc is not known"},
		"gone":                            {machine: "404", says: `"web1": "data" (ID`},
		"out of sight": {
			machine: "hidden",
			stays:   true,
			says:    "error: Cannot read the discs of virtual machine",
		},
	} {
		inBubbleNamed(t, name, func(t *testing.T, d *acctest.Driver, e *acctest.Emulator) {
			ctx := t.Context()
			o := d.MustApply(ctx, vmType, nil, twoDiscs)
			id, disc := o.Get("id").(string), o.Get("disc.1.id").(string)
			answer := fmt.Sprintf(`{"id":%s,"name":"web1","hostname":%q,"group_id":%s,"power_on":false,"autoreboot_on":false,"discs":[{"id":%s,"label":"vda","size":25600,"storage_grade":"sata"}]}`,
				id, o.Get("hostname"), o.Get("group_id"), o.Get("disc.0.id"))
			e.Inject(emulator.Fault{Match: get("/virtual_machines/" + id), Status: http.StatusOK, Body: answer})
			switch test.machine {
			case "own":
				e.Inject(emulator.Fault{Match: get("/discs/" + disc), Status: http.StatusOK, Body: fmt.Sprintf(`{"id":%s,"label":"data","size":5000,"virtual_machine_id":%s}`, disc, id)})
			case "":
				e.Inject(emulator.Fault{Match: get("/discs/" + disc), Status: http.StatusOK, Body: fmt.Sprintf(`{"id":%s,"label":"data","size":5000}`, disc)})
			case "hidden":
				e.Inject(emulator.Fault{Match: get("/accounts"), Status: http.StatusNotFound})
				fallthrough
			default:
				e.Inject(emulator.Fault{Match: get("/discs/" + disc), Status: http.StatusNotFound})
			}
			read, diags := d.Refresh(ctx, o)
			if stays := read.Get("disc.1.id") == disc; stays != test.stays {
				t.Errorf("stays %t", stays)
			}
			if text := acctest.DiagText(diags); !strings.Contains(text, test.says) || (text == "") != (test.says == "") {
				t.Errorf("want %q, got\n%s", test.says, text)
			}
		})
	}
}
