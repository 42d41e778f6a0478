package vm_test

import (
	"strings"
	"testing"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/acctest"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/emulator"
)

// Slips that a plan would carry out, and that people make.
func TestSlips(t *testing.T) {
	t.Parallel()
	d, _ := acctest.Drive(t, emulator.Options{}, nil)
	const private = "-----BEGIN OPENSSH PRIVATE KEY-----\ntest-only"
	for name, test := range map[string]struct {
		config given
		says   string
	}{
		"a private key":             {given{"reimage.distribution": "bookworm", "reimage.ssh_public_key": private}, "error at reimage.ssh_public_key: Invalid public key"},
		"gigabytes of memory":       {given{"memory": 4}, "warning at memory: Value may be in gigabytes\nmemory is in megabytes, and 4 is hardly enough for anything. For 4 gigabytes use 4096"},
		"gigabytes of a disc":       {given{"disc": discs("vda:25")}, "warning at disc.0.size: Value may be in gigabytes"},
		"megabytes are no slip":     {given{"memory": 1024, "disc": discs("vda:25600")}, ""},
		"a public key is no slip":   {given{"reimage.distribution": "bookworm", "reimage.ssh_public_key": "ssh-ed25519 AAAA"}, ""},
		"sizes that are not known":  {given{"memory": acctest.Unknown}, ""},
		"a key that is not known":   {given{"reimage.distribution": "bookworm", "reimage.ssh_public_key": acctest.Unknown}, ""},
		"nothing but what there is": {nil, ""},
	} {
		text := strings.ReplaceAll(acctest.DiagText(d.Validate(vmType, configured(test.config))), "\n    ", "\n")
		if !strings.HasPrefix(text, test.says) || test.says == "" && text != "" || strings.Contains(text, "test-only") {
			t.Errorf("%s: validate says\n%s\nwant %q", name, text, test.says)
		}
	}
}

// TestSameKeys: comments and whitespace are no change of a key; options and the
// key itself are.
func TestSameKeys(t *testing.T) {
	t.Parallel()
	const (
		one = "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIAEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEB"
		two = "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIAICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgIC"
	)
	for name, test := range map[string]struct {
		key  string
		plan acctest.Action
	}{
		"a line break":    {one + " me@here\n", noop},
		"another comment": {one + " me@there", noop},
		"no comment":      {one, noop},
		"a comment line":  {"# mine\n" + one + " me@here", noop},
		"an option":       {`command="true" ` + one + " me@here", update},
		"another key":     {two, update},
		"a second key":    {one + "\n" + two, update},
		"what is no key":  {"ssh-ed25519 me@here", update},
	} {
		inBubbleNamed(t, name, func(t *testing.T, d *acctest.Driver, e *acctest.Emulator) {
			o := d.MustApply(t.Context(), vmType, nil, configured(image, given{"reimage.ssh_public_key": one + " me@here"}))
			e.ResetJournal()
			config := configured(image, given{"reimage.ssh_public_key": test.key})
			d.ExpectPlan(t.Context(), o, config, test.plan)
			o = d.MustApply(t.Context(), vmType, o, config)
			expectSent(t, e, "")
			d.ExpectPlan(t.Context(), o, config, noop)
		})
	}
}
