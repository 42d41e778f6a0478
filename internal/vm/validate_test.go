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
	const private = "-----BEGIN OPENSSH PRIVATE KEY-----\ntest-only"
	for name, test := range map[string]struct {
		config given
		says   string
	}{
		"a private key":             {given{"reimage.distribution": "bookworm", "reimage.ssh_public_key": private}, "error at reimage.ssh_public_key: This is a private key"},
		"gigabytes of memory":       {given{"memory": 4}, "warning at memory: Are these gigabytes?\nmemory is in megabytes, and 4 is hardly enough for anything. For 4 gigabytes give 4096"},
		"gigabytes of a disc":       {given{"disc": discs("vda:25")}, "warning at disc.0.size: Are these gigabytes?"},
		"megabytes are no slip":     {given{"memory": 1024, "disc": discs("vda:25600")}, ""},
		"a public key is no slip":   {given{"reimage.distribution": "bookworm", "reimage.ssh_public_key": "ssh-ed25519 AAAA"}, ""},
		"sizes that are not known":  {given{"memory": acctest.Unknown}, ""},
		"a key that is not known":   {given{"reimage.distribution": "bookworm", "reimage.ssh_public_key": acctest.Unknown}, ""},
		"nothing but what there is": {nil, ""},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			d, _ := acctest.Drive(t, emulator.Options{}, nil)
			text := strings.ReplaceAll(acctest.DiagText(d.Validate(vmType, configured(test.config))), "\n    ", "\n")
			if !strings.HasPrefix(text, test.says) || test.says == "" && text != "" {
				t.Errorf("validate says\n%s\nwant %q", text, test.says)
			}
			if strings.Contains(text, "test-only") {
				t.Error("the key is repeated")
			}
		})
	}
}

// A line break at the end of a key file is no other key.
func TestBlanksAroundAKey(t *testing.T) {
	inBubble(t, func(t *testing.T, d *acctest.Driver, e *acctest.Emulator) {
		config := configured(given{"reimage.distribution": "bookworm", "reimage.ssh_public_key": "ssh-ed25519 AAAA"})
		o := d.MustApply(t.Context(), vmType, nil, config)
		e.ResetJournal()
		put(config, []string{"reimage", "ssh_public_key"}, "ssh-ed25519 AAAA\n")
		d.ExpectPlan(t.Context(), o, config, update)
		o = d.MustApply(t.Context(), vmType, o, config)
		expectSent(t, e, "")
		d.ExpectPlan(t.Context(), o, config, noop)
	})
}
