// SPDX-License-Identifier: MPL-2.0

package vm_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/hashicorp/terraform-plugin-go/tfprotov6"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/acctest"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/emulator"
)

// TestLossesOfAFleet: machines that lose the same thing are planned in several orders. The CLI shows one warning of those
// with the same summary, so each summary of a loss names its machine, and what is said of a machine is the same in every
// order.
func TestLossesOfAFleet(t *testing.T) {
	t.Parallel()
	data := given{"disc": discs("vda:25600", "data:5000")}
	for name, test := range map[string]struct {
		had, config given
		world       func(e *acctest.Emulator, id int64)
		says        string // the beginning of the summary that names the machine
	}{
		"replaced":          {had: image, config: with(image, "reimage.distribution", "noble"), says: "All discs of virtual machine %q will be lost"},
		"soft-deleted":      {had: with(image, "purge_on_destroy", false), config: nil, says: "A soft-deleted machine keeps its name: %q"},
		"imaged":            {had: inPlace, config: with(inPlace, "reimage.distribution", "noble"), says: "The boot disc of virtual machine %q will be erased"},
		"a purged disc":     {had: data, config: given{}, says: "Discs of virtual machine %q will be purged"},
		"an unmanaged disc": {had: given{}, world: attachDisc, config: nil, says: "Unmanaged discs of virtual machine %q will be destroyed"},
		"a disc that went":  {had: data, world: loseDisc, config: data, says: "A disc of virtual machine %q is gone"},
		"an exchanged disc": {had: data, world: exchangeDisc, config: data, says: `Disc "data" of virtual machine %q is another one now`},
		"a grown disc":      {had: data, world: growDisc, config: data, says: `Disc "data" of virtual machine %q was grown`},
		"gone":              {had: given{}, world: (*acctest.Emulator).Purge, config: given{}, says: "The machine is gone: %q"},
		"deleted elsewhere": {had: given{}, world: (*acctest.Emulator).SoftDelete, config: given{}, says: "The machine was soft-deleted elsewhere: %q"},
	} {
		inBubbleNamed(t, name, func(t *testing.T, d *acctest.Driver, e *acctest.Emulator) {
			names := []string{"web1", "web2", "web3"}
			objects := map[string]*acctest.Object{}
			for _, name := range names {
				objects[name] = d.MustApply(t.Context(), vmType, nil, configured(with(test.had, "name", name)))
				if test.world != nil {
					test.world(e, parsed(objects[name].Get("id")))
				}
			}
			var first map[string]string
			for _, order := range [][]string{{"web1", "web2", "web3"}, {"web3", "web2", "web1"}, {"web2", "web3", "web1"}} {
				d, said := e.NewDriver(t, nil), map[string]string{}
				for _, name := range order {
					var config object
					if test.config != nil {
						config = configured(with(test.config, "name", name))
					}
					said[name] = lossesSaid(t, d, objects[name], config, fmt.Sprintf(test.says, name))
				}
				if first == nil {
					first = said
				}
				if diff := cmp.Diff(first, said); diff != "" {
					t.Errorf("in the order %v it says something else:\n%s", order, diff)
				}
			}
		})
	}
}

// lossesSaid refreshes and plans a machine, and returns what that says. One of the summaries must begin as wanted.
func lossesSaid(t *testing.T, d *acctest.Driver, o *acctest.Object, config object, want string) string {
	t.Helper()
	read, diags := d.Refresh(t.Context(), o)
	if read != nil {
		diags = append(diags, d.Plan(t.Context(), vmType, read, config).Diagnostics...)
	}
	names := slices.ContainsFunc(diags, func(is *tfprotov6.Diagnostic) bool { return strings.HasPrefix(is.Summary, want) })
	if !names {
		t.Errorf("no summary is %q:\n%s", want, acctest.DiagText(diags))
	}
	return acctest.DiagText(diags)
}

func attachDisc(e *acctest.Emulator, id int64) {
	e.AddDisc(id, emulator.Disc{Label: "theirs", Size: 100})
}

func loseDisc(e *acctest.Emulator, id int64) {
	changeDiscs(e, id, func(m *emulator.Machine) { m.Discs = m.Discs[:1] })
}

func exchangeDisc(e *acctest.Emulator, id int64) {
	changeDiscs(e, id, func(m *emulator.Machine) { m.Discs[1] = emulator.Disc{Label: "data", Size: 5000} })
}

func growDisc(e *acctest.Emulator, id int64) {
	changeDiscs(e, id, func(m *emulator.Machine) { m.Discs[1].Size = 9000 })
}

// changeDiscs changes a machine that there is.
func changeDiscs(e *acctest.Emulator, id int64, change func(*emulator.Machine)) {
	if err := e.Change(id, change); err != nil {
		panic(err)
	}
}
