package vm_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net/http"
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

// TestServiceChangesAfterABareAnswer: the answer to vm_create has the ID alone. What the first look has shown is in the
// state although the wait fails, so that no destroy purges another service's machine.
func TestServiceChangesAfterABareAnswer(t *testing.T) {
	inWorld(t, emulator.Options{BootTime: 10 * time.Second}, func(t *testing.T, d *acctest.Driver, e *acctest.Emulator) {
		ctx := t.Context()
		plan := d.Plan(ctx, vmType, nil, configured())
		e.Inject(emulator.Fault{
			Match: func(r emulator.Request) bool { return strings.HasSuffix(r.Path, "/vm_create") },
			Rewrite: func(status int, header http.Header, body []byte) (int, http.Header, []byte) {
				var made struct {
					Machine struct {
						ID int64 `json:"id"`
					} `json:"virtual_machine"`
				}
				if err := json.Unmarshal(body, &made); err != nil {
					t.Error(err)
				}
				return status, header, fmt.Appendf(nil, `{"virtual_machine":{"id":%d}}`, made.Machine.ID)
			},
		})
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
