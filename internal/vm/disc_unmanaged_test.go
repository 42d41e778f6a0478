package vm_test

import (
	"strings"
	"testing"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/acctest"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/emulator"
)

// TestUnmanagedDisc: it is left alone and reported by every refresh, and adopted by a block with its label.
func TestUnmanagedDisc(t *testing.T) {
	t.Parallel()
	theirs := emulator.Disc{Label: "theirs", Size: 5000, StorageGrade: "ssd"}
	for name, test := range map[string]struct {
		block string // "" for none
		plan  acctest.Action
		sent  string
		says  string
	}{
		"no block": {plan: noop},
		"grown":    {block: "theirs:6000", plan: update, sent: "PUT disc size=6000", says: "are managed from now on"},
		"in place of another": {
			block: "-", plan: refused, says: `error at disc.1.label: Disc "theirs" cannot be distinguished from disc "data"`,
		},
	} {
		inBubbleNamed(t, name, func(t *testing.T, d *acctest.Driver, e *acctest.Emulator) {
			ctx := t.Context()
			var added int64
			o, said := changeAndRefresh(t, d, e, twoDiscs, func(id int64) error { added = e.AddDisc(id, theirs); return nil })
			if !strings.Contains(said, `"theirs"`) {
				t.Errorf("the refresh says\n%s", said)
			}
			blocks := []string{"vda:25600", "data:5000:sata"}
			switch test.block {
			case "":
			case "-":
				blocks[1] = "theirs:5000"
			default:
				blocks = append(blocks, test.block)
			}
			config := configured(off, given{"disc": discs(blocks...)})
			expectSays(t, d.Plan(ctx, vmType, o, nil).Diagnostics, `Unmanaged discs will be destroyed: "theirs"`)
			plan := d.ExpectPlan(ctx, o, config, test.plan)
			if text := acctest.DiagText(plan.Diagnostics); !strings.Contains(text, test.says) || (text == "") != (test.says == "") {
				t.Errorf("the plan says\n%s", text)
			}
			if test.plan != update {
				return
			}
			o = applyCleanly(t, d, e, o, config, test.sent)
			expectState(t, o, given{"disc.2.id": idOf(added), "disc.2.storage_grade": "ssd"})
			applyCleanly(t, d, e, o, twoDiscs, "DELETE disc?purge=true") // from now on it is managed
		})
	}
}

// TestUnmanagedDiscOfADestroy: `plan -destroy` is two processes. The second one has read nothing, and knows the disc from
// the refresh of the first.
func TestUnmanagedDiscOfADestroy(t *testing.T) {
	inBubble(t, func(t *testing.T, d *acctest.Driver, e *acctest.Emulator) {
		ctx := t.Context()
		o := d.MustApply(ctx, vmType, nil, configured())
		e.AddDisc(onlyMachine(t, e).ID, emulator.Disc{Label: "theirs", Size: 77})
		o = e.NewDriver(t, nil).MustRefresh(ctx, o)
		plan := e.NewDriver(t, nil).Plan(ctx, vmType, o, nil)
		expectSays(t, plan.Warnings(), `Unmanaged discs will be destroyed: "theirs"`)
		mustApply(t, e.NewDriver(t, nil), plan)
		expectNoMachine(t, e)
	})
}
