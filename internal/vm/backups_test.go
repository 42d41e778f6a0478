// SPDX-License-Identifier: MPL-2.0

package vm_test

import (
	"strings"
	"testing"
	"time"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/acctest"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/emulator"
)

// TestBackupsThatAreLost: a destroy and a replacement say how many backups go with the machine. The process of the plan
// has read nothing, as the second one of `plan -destroy`, and asks for nothing.
func TestBackupsThatAreLost(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		config, changed given // nothing changed: destroy
		taken           int
		updated         bool
		want            string // "": nothing is said of backups
	}{
		"destroy":                 {taken: 3, want: `Backups of virtual machine "web1" will be destroyed: 3`},
		"destroy after an update": {taken: 3, updated: true, want: `Backups of virtual machine "web1" will be destroyed: 3`},
		"destroy without backups": {},
		"soft delete":             {config: given{"purge_on_destroy": false}, taken: 3},
		"replace":                 {changed: given{"zone_name": "manchester"}, taken: 3, want: "destroyed, with their backups (3): "},
		"replace without backups": {changed: given{"zone_name": "manchester"}, want: "destroyed, with their backups: "},
	} {
		inBubbleNamed(t, name, func(t *testing.T, d *acctest.Driver, e *acctest.Emulator) {
			ctx := t.Context()
			o := d.MustApply(ctx, vmType, nil, configured(image, test.config))
			err := e.Change(onlyMachine(t, e).ID, func(m *emulator.Machine) {
				for i := range test.taken {
					backup := emulator.Backup{ID: int64(7000 + i), Label: "before", Began: time.Now(), Stored: time.Now()}
					m.Discs[0].Backups.Taken = append(m.Discs[0].Backups.Taken, backup)
				}
			})
			if err != nil {
				t.Fatal(err)
			}
			o = e.NewDriver(t, nil).MustRefresh(ctx, o)
			if test.updated {
				o = d.MustApply(ctx, vmType, o, configured(image, test.config, given{"keymap": "de"}))
			}
			var after object
			if test.changed != nil {
				after = configured(image, test.config, test.changed)
			}
			said := acctest.DiagText(e.NewDriver(t, nil).Plan(ctx, vmType, o, after).Warnings())
			if !strings.Contains(said, test.want) || test.want == "" && strings.Contains(said, "Backups of") {
				t.Errorf("want %q, the plan says\n%s", test.want, said)
			}
		})
	}
}
