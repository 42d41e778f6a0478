package vm_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/acctest"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/emulator"
)

// discRule is a change of the configured discs, and what is sent for it. TestDiscDecisions has what each change means.
// All machines are off, so that there is no warning about the next power cycle.
type discRule struct {
	name     string
	from, to []string // label:size:grade
	plan     acctest.Action
	sent     string
	says     []string // in the messages, in any order; as many as there are
	renamed  string   // the new label of a disc that keeps its ID; its old one is at the same position
}

func discRules() []discRule {
	const gone = "DELETE disc?purge=true"
	const replaceAdvice = "terraform destroy -refresh=false -target=ADDRESS"
	return []discRule{
		{name: "a disc is inserted with a grade", from: of("a:100"), to: of("a:100", "c:300:ssd"), plan: update, sent: "POST disc label=c size=300 storage_grade=ssd"},
		{name: "a disc goes from the middle", from: of("a:100", "b:200", "c:300"), to: of("a:100", "c:300"), plan: update, sent: gone, says: []string{`"b" (ID `}},
		{name: "the rest is reordered", from: of("a:100", "b:200", "c:300"), to: of("a:100", "c:300", "b:200"), plan: update},
		{name: "a disc grows among others that come and go", from: of("a:100", "b:200", "c:300"), to: of("a:150", "x:400", "y:500", "c:300"), plan: update, sent: "PUT disc label=x; PUT disc size=150; PUT disc size=400; POST disc label=y size=500"},
		{name: "the boot disc is renamed and grows", from: of("a:100"), to: of("x:150"), plan: update, sent: "PUT disc label=x; PUT disc size=150", renamed: "x"},
		{name: "a disc is renamed, and others are added below", from: of("a:100", "b:200"), to: of("a:100", "x:200", "y:200", "z:100"), plan: update, sent: "PUT disc label=x; POST disc label=y size=200; POST disc label=z size=100", renamed: "x"},
		{name: "a smaller disc is no rename", from: of("a:100", "b:200"), to: of("a:100", "x:150"), plan: update, sent: gone + "; POST disc label=x size=150", says: []string{`"b" (ID `}},
		{name: "one of eight makes room", from: of("a:190", "b:190", "c:190", "d:190", "e:190", "f:190", "g:190", "h:190"), to: of("a:190", "x:190", "b:190", "c:190", "d:190", "e:190", "f:190", "g:190"), plan: update, sent: gone + "; POST disc label=x size=190", says: []string{`"h" (ID `}},
		{name: "a new disc comes first", from: of("a:200"), to: of("x:100", "a:200"), plan: refused, says: []string{replaceAdvice}},
	}
}

func of(texts ...string) []string { return texts }

func (r discRule) test(t *testing.T, d *acctest.Driver, e *acctest.Emulator) {
	ctx := t.Context()
	o := d.MustApply(ctx, vmType, nil, configured(off, given{"disc": discs(r.from...)}))
	was := onlyMachine(t, e)
	config := configured(off, given{"disc": discs(r.to...)})
	plan := d.ExpectPlan(ctx, o, config, r.plan)
	text := acctest.DiagText(plan.Diagnostics)
	if len(plan.Diagnostics) != len(r.says) || slices.ContainsFunc(r.says, func(phrase string) bool { return !strings.Contains(text, phrase) }) {
		t.Errorf("the plan says\n%s\nwant %q", text, r.says)
	}
	if r.plan == refused {
		return
	}
	for i := range r.to {
		label := strings.Split(r.to[i], ":")[0]
		old := discOf(was, label)
		if label == r.renamed {
			old = was.Discs[i]
		}
		if got := plan.Get(fmt.Sprintf("disc.%d.id", i)); r.plan == update && old.ID != 0 && got != fmt.Sprint(old.ID) {
			t.Errorf("disc %s is planned with the id %v, has %d", label, got, old.ID)
		}
	}
	applyCleanly(t, d, e, o, config, r.sent)
	is := onlyMachine(t, e)
	for _, old := range was.Discs {
		if kept := discOf(is, old.Label); r.plan == update && kept.ID != 0 && kept.ID != old.ID {
			t.Errorf("disc %s is another one: %d, was %d", old.Label, kept.ID, old.ID)
		}
	}
}

func TestDiscRules(t *testing.T) {
	t.Parallel()
	for _, r := range discRules() {
		inBubbleNamed(t, r.name, r.test)
	}
}

// TestDiscOrderOfTheService: it is not drift.
func TestDiscOrderOfTheService(t *testing.T) {
	inBubble(t, func(t *testing.T, d *acctest.Driver, e *acctest.Emulator) {
		o := d.MustApply(t.Context(), vmType, nil, twoDiscs)
		changeMachine(t, e, func(m *emulator.Machine) { slices.Reverse(m.Discs) })
		applyCleanly(t, d, e, o, twoDiscs, "")
	})
}

// TestDiscWithoutAnID: a disc of the state that has no ID, and that the machine does not show, is a difference.
func TestDiscWithoutAnID(t *testing.T) {
	inBubble(t, func(t *testing.T, d *acctest.Driver, e *acctest.Emulator) {
		o := d.MustApply(t.Context(), vmType, nil, twoDiscs)
		changeMachine(t, e, func(m *emulator.Machine) { m.Discs = m.Discs[:1] })
		applyCleanly(t, d, e, editState(t, o, "disc.1.id", nil), twoDiscs, "POST disc label=data size=5000 storage_grade=sata")
	})
}

// TestLostDiscsOfARefresh: a refresh that misses a boot disc and another one promises an empty disc for the other alone.
func TestLostDiscsOfARefresh(t *testing.T) {
	inBubble(t, func(t *testing.T, d *acctest.Driver, e *acctest.Emulator) {
		o := d.MustApply(t.Context(), vmType, nil, configured(off, given{"disc": discs("a:100", "b:200", "c:300")}))
		changeMachine(t, e, func(m *emulator.Machine) { m.Discs = m.Discs[2:] })
		_, diags := d.Refresh(t.Context(), o)
		expectSays(t, diags, `A disc is gone: "a"`, "It was the boot disc: the plan is an error", `A disc is gone: "b"`, "the apply adds an empty disc")
	})
}
