package vm_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/acctest"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/emulator"
)

// TestUnmanagedDiscsThatDifferInCase: a block adopts the disc with exactly its label.
func TestUnmanagedDiscsThatDifferInCase(t *testing.T) {
	inBubble(t, func(t *testing.T, d *acctest.Driver, e *acctest.Emulator) {
		o := d.MustApply(t.Context(), vmType, nil, configured(off))
		config := configured(off, given{"disc": discs("vda:25600", "theirs:5000")})
		for _, label := range []string{"THEIRS", "theirs", "Theirs"} {
			e.AddDisc(onlyMachine(t, e).ID, emulator.Disc{Label: label, Size: 5000})
		}
		if got, want := d.Plan(t.Context(), vmType, d.MustRefresh(t.Context(), o), config).Get("disc.1.id"), idOf(onlyMachine(t, e).Discs[2].ID); got != want {
			t.Errorf("adopts disc %v, want %s", got, want)
		}
	})
}

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
		"no block":      {plan: noop},
		"adopted":       {block: "theirs:5000", plan: update, says: "are managed from now on"},
		"its grade":     {block: "theirs:5000:ssd", plan: update, says: "are managed from now on"},
		"grown":         {block: "theirs:6000", plan: update, sent: "PUT disc size=6000", says: "are managed from now on"},
		"another case":  {block: "THEIRS:5000", plan: update, says: "are managed from now on"},
		"smaller":       {block: "theirs:4000", plan: refused, says: `error at disc.2.size: Cannot shrink disc "theirs"`},
		"another grade": {block: "theirs:5000:archive", plan: refused, says: `error at disc.2.storage_grade: Cannot change the storage grade of disc "theirs"`},
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

// TestReleasedDiscs: after an import, discs without a block are left alone until a block adopts them.
func TestReleasedDiscs(t *testing.T) {
	inBubble(t, func(t *testing.T, d *acctest.Driver, e *acctest.Emulator) {
		o := mustImport(t, d, d.MustApply(t.Context(), vmType, nil, twoDiscs).Get("id").(string))
		for _, config := range []object{configured(off), configured(off), twoDiscs} {
			o = applyCleanly(t, d, e, o, config, "")
		}
	})
}

// TestUnmanagedDiscsCount: the limit of eight discs includes unmanaged ones.
func TestUnmanagedDiscsCount(t *testing.T) {
	inBubble(t, func(t *testing.T, d *acctest.Driver, e *acctest.Emulator) {
		ctx := t.Context()
		six := discs("vda:25600", "b:100", "c:100", "d:100", "e:100", "f:100")
		and := func(more ...string) object { return configured(off, given{"disc": slices.Concat(six, discs(more...))}) }
		o, _ := changeAndRefresh(t, d, e, and("g:100"), func(id int64) error { e.AddDisc(id, emulator.Disc{Label: "theirs", Size: 77}); return nil })
		acctest.ExpectError(t, d.Plan(ctx, vmType, o, and("g:100", "h:100")).Errors(), "error at disc.7:", `Cannot add disc "h"`, `at most 8 discs`, `"theirs"`)
		d.ExpectPlan(ctx, o, and("g:100", "theirs:77"), update) // adopted
		applyCleanly(t, d, e, o, and("h:100:ssd"), "DELETE disc?purge=true; POST disc label=h size=100 storage_grade=ssd")
	})
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
