package vm_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/acctest"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/emulator"
)

// TestDiscThatTheMachineLacks: it stays in the state, unless it is known to be gone or on another machine.
func TestDiscThatTheMachineLacks(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		answer emulator.Fault // of the disc
		body   string         // with the ID of the disc, and then that of the machine
		stays  bool
		says   string
	}{
		"its own answer says it is there": {body: `{"id":%s,"label":"data","size":5000,"virtual_machine_id":%s}`, stays: true},
		"no answer":                       {answer: emulator.Fault{Status: http.StatusForbidden}, stays: true},
		"gone":                            {answer: emulator.Fault{Status: http.StatusNotFound}, says: "It was purged outside of Terraform"},
		"on another machine":              {body: `{"id":%s,"virtual_machine_id":4711,"name":%q}`, says: "It was moved to virtual machine 4711, with its data."},
	} {
		inBubbleNamed(t, name, func(t *testing.T, d *acctest.Driver, e *acctest.Emulator) {
			ctx := t.Context()
			o := d.MustApply(ctx, vmType, nil, twoDiscs)
			disc := textOf(o.Get("disc.1.id"))
			if test.body != "" {
				test.answer = emulator.Fault{Status: http.StatusOK, Body: fmt.Sprintf(test.body, disc, textOf(o.Get("id")))}
			}
			test.answer.Match = func(r emulator.Request) bool { return r.Path == "/discs/"+disc }
			e.Inject(test.answer)
			e.Inject(emulator.Fault{
				Match: func(r emulator.Request) bool { return strings.HasPrefix(r.Path, "/virtual_machines/") },
				Rewrite: func(status int, header http.Header, body []byte) (int, http.Header, []byte) {
					var shown map[string]any
					if err := json.Unmarshal(body, &shown); err != nil {
						t.Error(err)
					}
					all, _ := shown["discs"].([]any)
					shown["discs"] = all[:1]
					changed, err := json.Marshal(shown)
					if err != nil {
						t.Error(err)
					}
					return status, header, changed
				},
			})
			read, diags := d.Refresh(ctx, o)
			if stays := read.Get("disc.1.id") == disc; stays != test.stays {
				t.Errorf("stays %t", stays)
			}
			if test.says == "" && len(diags) > 0 {
				t.Error(acctest.DiagText(diags))
			}
			if test.says != "" {
				expectSays(t, diags, `warning at disc: A disc is gone: "data"`, test.says, "the apply adds an empty disc")
			}
		})
	}
}
