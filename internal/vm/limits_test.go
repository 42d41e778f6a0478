// SPDX-License-Identifier: MPL-2.0

package vm_test

import (
	"strings"
	"testing"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/acctest"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/emulator"
)

// TestLimits plans values that the service refuses, or is likely to refuse. That is a warning, and an error if the same
// plan loses something first: the machine would be gone, or off, when the service refuses the value.
func TestLimits(t *testing.T) {
	t.Parallel()
	const smallDisc, shortName = "The service refuses a disc of 25 megabytes", `The service refuses the name "ab"`
	big := given{"allow_stopping_for_update": true, "cores": 2}
	small := given{"disc": discs("vda:25600", "data:25")}
	elsewhere := given{"zone_name": "manchester"}
	for name, test := range map[string]struct {
		had      []given // of the machine; nil: there is none
		config   []given
		settings given
		refuses  string // or
		warns    string
		says     string
	}{
		"a small disc of a new machine":     {config: []given{small}, warns: smallDisc, says: "For 25 gigabytes, write size = 25600."},
		"a small disc is added":             {had: []given{{}}, config: []given{small}, warns: smallDisc},
		"…and the machine is replaced":      {had: []given{{"zone_name": "york"}}, config: []given{small, elsewhere}, refuses: smallDisc, says: "only after this apply has destroyed"},
		"…and the machine is restarted":     {had: []given{big}, config: []given{big, small, {"cores": 4}}, refuses: smallDisc},
		"…and another one is purged":        {had: []given{{"disc": discs("vda:25600", "logs:5000:ssd")}}, config: []given{{"disc": discs("vda:25600", "data:25:sata")}}, refuses: smallDisc},
		"…and the machine is off":           {had: []given{big, off}, config: []given{big, off, small, {"cores": 4}}, warns: smallDisc},
		"…without plan checks":              {had: []given{{"zone_name": "york"}}, config: []given{small, elsewhere}, settings: given{"plan_checks": false}, warns: `All discs of virtual machine "web" will be lost`},
		"a short name":                      {config: []given{{"name": "ab"}}, warns: shortName, says: "at least 3 characters"},
		"a rename to a short name":          {had: []given{{}}, config: []given{{"name": "ab"}}, warns: shortName},
		"…and the machine is replaced too":  {had: []given{{"zone_name": "york"}}, config: []given{{"name": "ab"}, elsewhere}, refuses: shortName},
		"a name with other letters":         {config: []given{{"name": "WEB_1"}}, warns: `The service may refuse the name "WEB_1"`, says: `"web-1"`},
		"a name with a space":               {config: []given{{"name": "my web"}}, warns: `The service may refuse the name "my web"`, says: `"my-web"`},
		"a hostname":                        {config: []given{{"name": "web9.example.com"}}, warns: "The service may refuse", says: `"web9"`},
		"whitespace around a name":          {config: []given{{"name": "abc "}}, warns: "The service may refuse", says: `"abc"`},
		"a long name":                       {config: []given{{"name": strings.Repeat("a", 64)}}, warns: "The service may refuse", says: "This one has 64 characters."},
		"gigabytes of memory":               {config: []given{{"memory": 4}}, warns: "The machine gets 4 megabytes of memory", says: "For 4 gigabytes, write memory = 4096."},
		"kilobytes of memory":               {config: []given{{"memory": 4194304}}, warns: "memory is 4 terabytes", says: "4 gigabytes are 4096"},
		"a disc in bytes":                   {config: []given{{"disc": discs("vda:26843545600")}}, warns: "size is 25600 terabytes", says: "size is in megabytes"},
		"a name with a dot":                 {config: []given{{"name": "web.1"}}, warns: "The service may refuse", says: `"web-1"`},
		"a boot disc in gigabytes":          {config: []given{{"disc": discs("vda:100"), "reimage.distribution": "bookworm", "reimage.ssh_public_key": "ssh-ed25519 A"}}, warns: "The boot disc has 100 megabytes", says: "size = 102400"},
		"a boot disc without an image":      {config: []given{{"disc": discs("vda:100")}}},
		"usual values":                      {config: []given{{"name": "web-1", "memory": 128}}},
		"the values that the machine has":   {had: []given{{"memory": 4}}, config: []given{{"memory": 4, "keymap": "de"}}},
		"a boot disc that is small already": {had: []given{{"disc": discs("vda:100")}}, config: []given{{"disc": discs("vda:100"), "keymap": "de"}}},
	} {
		inBubbleNamed(t, name, func(t *testing.T, _ *acctest.Driver, e *acctest.Emulator) {
			d := e.NewDriver(t, test.settings)
			var o *acctest.Object
			if test.had != nil {
				o = d.MustApply(t.Context(), vmType, nil, configured(append([]given{{"name": "web"}}, test.had...)...))
			}
			e.ResetJournal()
			plan := d.Plan(t.Context(), vmType, o, configured(append([]given{{"name": "web"}}, test.config...)...))
			errors, warnings := acctest.DiagText(acctest.Errors(plan.Diagnostics)), acctest.DiagText(plan.Warnings())
			if !strings.Contains(errors, test.refuses) || (errors == "") != (test.refuses == "") {
				t.Errorf("refused\n%s\nwant %q", errors, test.refuses)
			}
			if test.refuses == "" && (!strings.Contains(warnings, test.warns) || test.warns == "" && warnings != "") {
				t.Errorf("warned\n%s\nwant %q", warnings, test.warns)
			}
			expectSays(t, plan.Diagnostics, test.says)
			expectSent(t, e, "")
		})
	}
}

// TestTooManyDiscs counts the discs that are in no configuration.
func TestTooManyDiscs(t *testing.T) {
	inWorld(t, emulator.Options{}, func(t *testing.T, d *acctest.Driver, e *acctest.Emulator) {
		ctx := t.Context()
		seven := discs("vda:25600", "b:50", "c:50", "d:50", "e:50", "f:50", "g:50")
		o := d.MustApply(ctx, vmType, nil, configured(given{"disc": seven}))
		e.AddDisc(onlyMachine(t, e).ID, emulator.Disc{Label: "theirs", Size: 50, StorageGrade: "sata"})
		eight := configured(given{"disc": append(seven, discs("h:50")...)})
		plan := d.RefreshAndPlan(ctx, o, eight)
		expectSays(t, plan.Warnings(), `Too many discs of virtual machine "web1": 9`, `"theirs"`)
		fewer := configured(given{"disc": append(discs("vda:25600", "c:50", "d:50", "e:50", "f:50", "g:50"), discs("h:50:ssd", "i:50:ssd")...)})
		expectSays(t, d.RefreshAndPlan(ctx, o, fewer).Errors(), "Too many discs", "only after this apply has destroyed")
		adopted := configured(given{"disc": append(seven, discs("theirs:50")...)})
		if text := acctest.DiagText(d.RefreshAndPlan(ctx, o, adopted).Diagnostics); strings.Contains(text, "Too many discs") {
			t.Errorf("an adopted disc is counted twice:\n%s", text)
		}
	})
}

// TestTooManyDiscsAfterAnImport counts those that the first plan after an import leaves alone.
func TestTooManyDiscsAfterAnImport(t *testing.T) {
	inBubble(t, func(t *testing.T, d *acctest.Driver, e *acctest.Emulator) {
		id := e.AddMachine("demo", emulator.DefaultGroup, emulator.Machine{
			Name: "web1", Cores: 2, Memory: 2048, PowerOn: true, AutorebootOn: true,
			Discs: []emulator.Disc{
				{Label: "vda", Size: 25600},
				{Label: "b", Size: 5000},
				{Label: "c", Size: 5000},
				{Label: "d", Size: 5000},
				{Label: "e", Size: 5000},
				{Label: "f", Size: 5000},
			},
		})
		config := configured(given{"cores": 4, leave: true, "disc": discs("vda:25600", "g:5000", "h:5000", "i:5000")})
		plan := d.Plan(t.Context(), vmType, mustImport(t, d, idOf(id)), config)
		acctest.ExpectError(t, plan.Diagnostics, `Too many discs of virtual machine "web1": 9`, `"b", "c", "d", "e", "f"`)
	})
}
