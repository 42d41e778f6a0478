package vm_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-log/tflogtest"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/acctest"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/emulator"
)

// TestKeyIsEnoughToReimage: the service wants a root password, and gets another
// one each time that nothing else has: no state, plan, log or error.
func TestKeyIsEnoughToReimage(t *testing.T) {
	inBubble(t, func(t *testing.T, d *acctest.Driver, e *acctest.Emulator) {
		var log bytes.Buffer
		ctx := tflogtest.RootLogger(t.Context(), &log)
		shown := func(o *acctest.Object, plan *acctest.PlanResult) string {
			return fmt.Sprintf("%s%+v%+v%s", log.String(), o, plan, acctest.DiagText(plan.Diagnostics))
		}
		config := configured(given{"reimage.distribution": "bookworm", "reimage.ssh_public_key": "ssh-ed25519 A", "reimage.on_change": "reimage", "reimage.revision": "1"})
		o := d.MustApply(ctx, vmType, nil, config)
		if journal := sent(e); strings.Contains(journal, "root_password") {
			t.Errorf("creation sent a password: %s", journal)
		}
		used := map[string]bool{}
		for _, revision := range []string{"2", "3"} {
			put(config, []string{"reimage", "revision"}, revision)
			plan := d.Plan(ctx, vmType, o, config)
			o = d.MustApply(ctx, vmType, o, config)
			password := lastPassword(t, e)
			if len(password) != 32 || used[password] {
				t.Errorf("sent the password %q after %v", password, used)
			}
			used[password] = true
			if strings.Contains(shown(o, plan), password) {
				t.Error("the password is shown")
			}
		}

		var sent []byte
		e.Inject(emulator.Fault{
			Match: func(r emulator.Request) bool {
				if !strings.HasSuffix(r.Path, "/reimage") {
					return false
				}
				sent = r.Body
				return true
			},
			Rewrite: func(int, http.Header, []byte) (int, http.Header, []byte) { // a service that says all of it again
				return 400, http.Header{}, fmt.Appendf(nil, `{"root_password":["is too simple: %s"]}`, passwordIn(t, sent))
			},
		})
		put(config, []string{"reimage", "revision"}, "4")
		plan := d.Plan(ctx, vmType, o, config)
		after, diags := d.Apply(ctx, vmType, plan)
		text := acctest.DiagText(diags)
		if !strings.Contains(text, "reimage.root_password") || !strings.Contains(text, "is too simple: (hidden)") {
			t.Errorf("the refusal says\n%s", text)
		}
		if strings.Contains(shown(after, plan)+text, lastPassword(t, e)) {
			t.Error("the password is shown")
		}
	})
}

// lastPassword returns the root password of the last reimage.
func lastPassword(t *testing.T, e *acctest.Emulator) string {
	t.Helper()
	var password string
	for _, request := range e.Journal() {
		if strings.HasSuffix(request.Path, "/reimage") {
			password = passwordIn(t, request.Body)
		}
	}
	return password
}

func passwordIn(t *testing.T, body []byte) string {
	t.Helper()
	var image struct {
		RootPassword string `json:"root_password"`
	}
	if err := json.Unmarshal(body, &image); err != nil {
		t.Error(err)
	}
	return image.RootPassword
}
