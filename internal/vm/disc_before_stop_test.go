// SPDX-License-Identifier: MPL-2.0

package vm_test

import (
	"testing"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/acctest"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/emulator"
)

// TestDiscIsAddedBeforeTheStop: the service may refuse a disc, for example because it has no room for it. Where nothing
// has to be purged or renamed first, it is asked before the machine is stopped.
func TestDiscIsAddedBeforeTheStop(t *testing.T) {
	t.Parallel()
	five := []string{"d0:100", "d1:100", "d2:100", "d3:100", "d4:100"}
	const purged, added = "DELETE disc?purge=true; ", "POST disc label=more size=50; "
	for name, test := range map[string]struct {
		was, to   []string // besides the boot disc
		elsewhere bool     // somebody has added one
		sent      string
	}{
		"there is room":              {to: []string{"more:50"}, sent: added + stop + "PUT cores=4; " + start},
		"beside a purge":             {was: []string{"old:100"}, to: []string{"more:50"}, sent: added + stop + "PUT cores=4; " + purged + start},
		"there is no room":           {was: append(five, "d5:100", "old:100"), to: append(five, "d5:100", "more:50"), sent: stop + "PUT cores=4; " + purged + added + start},
		"an unmanaged one is beside": {was: append(five, "old:100"), to: append(five, "more:50"), elsewhere: true, sent: stop + "PUT cores=4; " + purged + added + start},
	} {
		inBubbleNamed(t, name, func(t *testing.T, d *acctest.Driver, e *acctest.Emulator) {
			with := func(cores int, more []string) object {
				return configured(given{"cores": cores, leave: true, "disc": discs(append([]string{"vda:25600"}, more...)...)})
			}
			o := d.MustApply(t.Context(), vmType, nil, with(2, test.was))
			if test.elsewhere {
				changeMachine(t, e, func(m *emulator.Machine) {
					m.Discs = append(m.Discs, emulator.Disc{ID: 9999, Label: "theirs", Size: 100, StorageGrade: "sata"})
				})
			}
			applyCleanly(t, d, e, o, with(4, test.to), test.sent)
		})
	}
	inBubbleNamed(t, "refused", func(t *testing.T, d *acctest.Driver, e *acctest.Emulator) {
		o := d.MustApply(t.Context(), vmType, nil, configured(given{"cores": 2, leave: true}))
		e.Inject(refuse("POST", "/discs", "", 1))
		expectFailure(t, d, o, configured(given{"cores": 4, leave: true, "disc": discs("vda:25600", "more:100")}), `Cannot add disc "more" to virtual machine "web1"`, "Nothing was changed.")
		expectPower(t, e, true, true)
	})
}
