// SPDX-License-Identifier: MPL-2.0

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

// TestReimageBlockThatGoesAndComesBack: only the state changes, whatever the block contains when it is added again.
func TestReimageBlockThatGoesAndComesBack(t *testing.T) {
	inBubble(t, func(t *testing.T, d *acctest.Driver, e *acctest.Emulator) {
		ctx := t.Context()
		o := d.MustApply(ctx, vmType, nil, configured(image))
		o = applyCleanly(t, d, e, o, configured(), "")
		changeMachine(t, e, func(m *emulator.Machine) { m.LastImagedWith = "trixie" }) // nobody's concern
		d.ExpectPlan(ctx, o, configured(), noop)
		applyCleanly(t, d, e, o, configured(image, given{"reimage.distribution": "noble"}), "")
	})
}

// TestKeyIsEnoughToReimage: the service requires a root password, and gets a random one each time, which no state,
// plan, log or error contains.
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
		for _, revision := range []string{"2", "3", "4"} {
			if revision == "4" { // a service that says all of it again
				var body []byte
				e.Inject(emulator.Fault{
					Match: func(r emulator.Request) bool {
						body = r.Body
						return strings.HasSuffix(r.Path, "/reimage")
					},
					Rewrite: func(int, http.Header, []byte) (int, http.Header, []byte) {
						return 400, http.Header{}, fmt.Appendf(nil, `{"root_password":["is too simple: %s"]}`, readPassword(t, body))
					},
				})
			}
			put(config, []string{"reimage", "revision"}, revision)
			plan := d.Plan(ctx, vmType, o, config)
			after, diags := d.Apply(ctx, vmType, plan)
			o = after
			text, password := acctest.DiagText(diags), lastPassword(t, e)
			if len(password) != 32 || used[password] {
				t.Errorf("sent the password %q after %v", password, used)
			}
			used[password] = true
			if refused := strings.Contains(text, "reimage.root_password") && strings.Contains(text, "refused (the text may quote it, and is not shown)"); refused != (revision == "4") {
				t.Errorf("the apply says\n%s", text)
			}
			if strings.Contains(shown(after, plan)+text, password) {
				t.Error("the password is shown")
			}
		}
	})
}

// TestFirstRevisionBesideASecret: a first revision installs nothing, and the warning says how the new secret gets into
// the machine. Without a secret, or if the revision is removed, there is nothing to install.
func TestFirstRevisionBesideASecret(t *testing.T) {
	t.Parallel()
	const (
		once    = "To install the image, change revision once more after this apply."
		inPlace = `once more after this apply, with on_change = "reimage": otherwise the machine is replaced.`
	)
	byKey := given{"reimage.distribution": "bookworm", "reimage.ssh_public_key": "ssh-ed25519 A"}
	one := given{"reimage.revision": "1"}
	for name, test := range map[string]struct {
		was, to []given
		advice  string // "": none
	}{
		"a password":                {was: []given{byKey}, to: []given{byKey, one, {"reimage.root_password": "test-only"}}, advice: inPlace},
		"a script":                  {was: []given{byKey}, to: []given{byKey, one, {"reimage.firstboot_script": "#!a"}}, advice: inPlace},
		"in place":                  {was: []given{byKey}, to: []given{byKey, one, {"reimage.root_password": "test-only", "reimage.on_change": "reimage"}}, advice: once},
		"no secret":                 {was: []given{byKey}, to: []given{byKey, one}},
		"the revision goes instead": {was: []given{image, one}, to: []given{image}},
	} {
		inBubbleNamed(t, name, func(t *testing.T, d *acctest.Driver, _ *acctest.Emulator) {
			o := d.MustApply(t.Context(), vmType, nil, configured(test.was...))
			text := acctest.DiagText(d.ExpectPlan(t.Context(), o, configured(test.to...), update).Diagnostics)
			if !strings.Contains(text, recorded) || !strings.Contains(text, test.advice) || strings.Contains(text, "once more") != (test.advice != "") {
				t.Errorf("the plan says\n%s", text)
			}
		})
	}
}

// lastPassword returns the root password of the last reimage.
func lastPassword(t *testing.T, e *acctest.Emulator) string {
	t.Helper()
	var password string
	for _, request := range e.Journal() {
		if strings.HasSuffix(request.Path, "/reimage") {
			password = readPassword(t, request.Body)
		}
	}
	return password
}

func readPassword(t *testing.T, body []byte) string {
	t.Helper()
	var image struct {
		RootPassword string `json:"root_password"`
	}
	if err := json.Unmarshal(body, &image); err != nil {
		t.Error(err)
	}
	return image.RootPassword
}

// TestRecordedLongAfterTheImport adds attributes that the service does not report after the imported machine has been
// changed in other ways. They are only recorded, until the provider has installed an image itself.
func TestRecordedLongAfterTheImport(t *testing.T) {
	inBubble(t, func(t *testing.T, d *acctest.Driver, e *acctest.Emulator) {
		ctx := t.Context()
		addImportable(e)
		o := mustImport(t, d, "private/web1")
		config := reportedConfig()
		apply := func(path string, value any, warns, sent string) {
			t.Helper()
			put(config, strings.Split(path, "."), value)
			plan := d.ExpectPlan(ctx, o, config, update)
			if text := acctest.DiagText(plan.Diagnostics); warns == "" && text != "" || !strings.Contains(text, warns) {
				t.Errorf("%s: want %q in\n%s", path, warns, text)
			}
			o = applyCleanly(t, d, e, o, config, sent)
		}
		apply("keymap", "de", "", "PUT keymap=de")
		apply("reimage.ssh_public_key", "ssh-ed25519 A", newKey, "")
		apply("reimage.on_change", "reimage", "", "")
		apply("reimage.revision", "1", recorded, "")
		put(config, []string{"reimage", "root_password"}, "test-only")
		d.ExpectPlan(ctx, o, config, noop)
		apply("reimage.distribution", "noble", "will be erased", stop+"reimage distribution=noble root_password=test-only ssh_public_key=ssh-ed25519 A; PUT autoreboot_on=true")
		put(config, []string{"reimage", "firstboot_script"}, "#!test")
		apply("reimage.revision", "2", "will be erased", stop+"reimage distribution=noble firstboot_script=#!test root_password=test-only ssh_public_key=ssh-ed25519 A; PUT autoreboot_on=true")
		put(config, []string{"reimage", "on_change"}, "replace")
		put(config, []string{"reimage", "revision"}, "3")
		d.ExpectPlan(ctx, o, config, replace)
	})
}
