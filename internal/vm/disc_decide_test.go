package vm

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/run"
)

// Discs are written as "ID=label/size/grade". Without the size it is 100, and without the grade "sata"; a block has no
// ID, no grade unless it is written, and "?" for an unknown label. A decision is the planned discs and what becomes of
// each, or the summaries of what is refused.
var decisions = map[string]struct {
	state    string
	seen     observedDiscs // nil: no refresh has seen them
	blocks   string
	imported bool
	want     string
}{
	"nothing changes":           {state: "1=vda 2=data", seen: asInState, blocks: "vda data", want: "1=vda 2=data"},
	"reordered":                 {state: "1=vda 2=data 3=logs", seen: asInState, blocks: "vda logs data", want: "1=vda 3=logs 2=data"},
	"normalised by the service": {state: "1=vda 2=DATA", seen: asInState, blocks: "vda data", want: "1=vda 2=data"},
	"added":                     {state: "1=vda", seen: asInState, blocks: "vda data", want: "1=vda new=data; add data"},
	"removed":                   {state: "1=vda 2=data", seen: asInState, blocks: "vda", want: "1=vda; purge data"},
	"grown":                     {state: "1=vda 2=data", seen: asInState, blocks: "vda data/200", want: "1=vda 2=data; grow data"},
	"shrunk":                    {state: "1=vda 2=data", seen: asInState, blocks: "vda data/99", want: `refused: Cannot shrink disc "data"`},
	"another grade":             {state: "1=vda 2=data", seen: asInState, blocks: "vda data/100/ssd", want: `refused: Cannot change the storage grade of disc "data"`},
	"a label of digits":         {state: "1=vda", seen: asInState, blocks: "vda 7", want: "refused: Invalid name of a disc"},

	"a new label in place renames":        {state: "1=vda 2=data 3=logs", seen: asInState, blocks: "vda mine logs", want: "1=vda 2=mine 3=logs; rename data to mine"},
	"renamed, and another at the end":     {state: "1=vda 2=data", seen: asInState, blocks: "vda mine more", want: "1=vda 2=mine new=more; rename data to mine; add more"},
	"renamed and grown":                   {state: "1=vda 2=data", seen: asInState, blocks: "vda mine/200", want: "1=vda 2=mine; rename data to mine; grow mine"},
	"a new label elsewhere is no rename":  {state: "1=vda 2=data 3=logs", seen: asInState, blocks: "vda logs mine", want: "1=vda 3=logs new=mine; add mine; purge data"},
	"two new labels are no rename":        {state: "1=vda 2=data 3=logs", seen: asInState, blocks: "vda mine yours", want: "1=vda new=mine new=yours; add mine; add yours; purge data; purge logs"},
	"a smaller disc is no rename":         {state: "1=vda 2=data", seen: asInState, blocks: "vda mine/99", want: "1=vda new=mine; add mine; purge data"},
	"another grade is no rename":          {state: "1=vda 2=data", seen: asInState, blocks: "vda mine/100/ssd", want: "1=vda new=mine; add mine; purge data"},
	"two new labels that nobody has seen": {state: "1=vda 2=data 3=logs", blocks: "vda mine yours", want: `refused: Cannot tell the discs of virtual machine "web1" apart`},
	"one new label that nobody has seen":  {state: "1=vda 2=data 3=logs", blocks: "vda mine logs", want: "1=vda 2=mine 3=logs; rename data to mine"},

	"renamed elsewhere":              {state: "1=vda 2=data", seen: observedDiscs{"2": {Label: "theirs"}}, blocks: "vda data", want: "1=vda 2=data"},
	"the configuration follows":      {state: "1=vda 2=data 3=logs", seen: observedDiscs{"2": {Label: "theirs"}, "3": {Label: "others"}}, blocks: "vda others theirs", want: "1=vda 3=others 2=theirs; rename logs to others; rename data to theirs"},
	"a new block with its label":     {state: "1=vda 2=data", seen: observedDiscs{"2": {Label: "theirs"}}, blocks: "vda data theirs", want: `refused: Disc "theirs" is already managed as "data"`},
	"purged under a block's label":   {state: "1=vda 2=data 3=logs", seen: observedDiscs{"2": {Label: "logs"}, "3": {Label: "data"}}, blocks: "vda data", want: `refused: Cannot purge disc "logs" of virtual machine "web1"`},
	"the grade that the service has": {state: "1=vda 2=data", seen: observedDiscs{"2": {Label: "data", Grade: "ssd"}}, blocks: "vda data/100/ssd", want: "1=vda 2=data"},

	"foreign, without a block":     {state: "1=vda", seen: observedDiscs{"9": {Label: "theirs", Size: 100}}, blocks: "vda", want: "1=vda"},
	"foreign, adopted":             {state: "1=vda", seen: observedDiscs{"9": {Label: "theirs", Size: 100}}, blocks: "vda theirs", want: "1=vda 9=theirs; adopt theirs"},
	"foreign, adopted and grown":   {state: "1=vda", seen: observedDiscs{"9": {Label: "theirs", Size: 100}}, blocks: "vda theirs/200", want: "1=vda 9=theirs; grow theirs; adopt theirs"},
	"foreign, in place of another": {state: "1=vda 2=data", seen: observedDiscs{"9": {Label: "theirs", Size: 100}}, blocks: "vda theirs", want: `refused: Disc "theirs" cannot be distinguished from disc "data"`},
	"foreign, a ninth disc":        {state: "1=a 2=b 3=c 4=d 5=e 6=f 7=g", seen: observedDiscs{"9": {Label: "theirs"}}, blocks: "a b c d e f g h", want: `refused: Cannot add disc "h"`},

	"moved":                        {state: "1=vda 2=data", seen: observedDiscs{"2": {Machine: "77"}}, blocks: "vda data", want: `refused: Disc "data" is on another machine`},
	"moved, its block goes":        {state: "1=vda 2=data", seen: observedDiscs{"2": {Machine: "77"}}, blocks: "vda", want: "1=vda; leave data"},
	"moved, another has its label": {state: "1=vda 2=data", seen: observedDiscs{"2": {Machine: "77"}, "9": {Label: "data", Size: 100}}, blocks: "vda data", want: `refused: Disc "data" is on another machine`},

	"imported, without a block":   {state: "1=vda 2=data", seen: asInState, blocks: "vda", imported: true, want: "1=vda; release data"},
	"imported, another boot disc": {state: "1=vda 2=data", seen: asInState, blocks: "data", imported: true, want: "refused: The imported machine has discs that the configuration lacks"},
	"another boot disc":           {state: "1=vda 2=data", seen: asInState, blocks: "data vda", want: "refused: Cannot change the boot disc"},
	"no block":                    {state: "1=vda", seen: asInState, blocks: "", want: "refused: Cannot change the boot disc"},

	"an unknown label":                         {state: "1=vda 2=data 3=logs", seen: asInState, blocks: "vda ? logs", want: "1=vda new=? 3=logs; may purge data"},
	"an unknown label beside a normalised one": {state: "1=vda 2=DATA", seen: asInState, blocks: "vda ? data", want: "1=vda new=? new=data; may purge DATA"},
}

// asInState: the last refresh saw the discs as they are in the state.
var asInState = observedDiscs{}

// TestDiscDecisions tells what each change of a configuration, and of the machine, means for its discs.
func TestDiscDecisions(t *testing.T) {
	t.Parallel()
	for name, test := range decisions {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			d := decideDiscs(discFacts{
				machine: run.Machine{ID: "1", Title: `virtual machine "web1"`}, prior: discsOf(test.state), blocks: discsOf(test.blocks),
				labelsKnown: !strings.Contains(test.blocks, "?"), seen: test.seen, imported: test.imported,
				withAction: func(action string, _ ...string) string { return "with " + action },
			})
			if got := d.String(); got != test.want {
				t.Errorf("decided\n%s\nwant\n%s", got, test.want)
			}
			// What is refused loses nothing, and what loses a disc, or changes the state without a request, is warned of.
			warns := len(d.change.purge)+len(d.change.moved)+len(d.change.released)+len(d.change.adopted)+len(d.undecided) > 0
			if warns != (len(d.warned) > 0) {
				t.Errorf("warned of %s", summaries(d.warned))
			}
			if d.labelsKnown && d.refused == nil {
				expectNothingNext(t, d)
			}
		})
	}
}

// expectNothingNext checks that the plan after the apply of a decision changes nothing.
func expectNothingNext(t *testing.T, d discDecision) {
	t.Helper()
	applied := slices.Clone(d.planned)
	for i := range applied {
		if applied[i].ID.IsUnknown() {
			applied[i].ID = types.StringValue(strconv.Itoa(100 + i))
		}
	}
	left := observedDiscs{}
	for _, foreign := range d.unclaimed() {
		left[foreign.ID.ValueString()] = d.seen[foreign.ID.ValueString()]
	}
	facts := d.discFacts
	facts.prior, facts.seen, facts.imported = applied, left, false
	next := decideDiscs(facts)
	if next.refused != nil || next.warned != nil || strings.Contains(next.String(), ";") {
		t.Errorf("the next plan is %s", next)
	}
}

// discsOf reads discs of the state, or blocks.
func discsOf(text string) (discs []discModel) {
	for _, word := range strings.Fields(text) {
		d := discModel{ID: types.StringNull(), Size: types.Int64Value(100), StorageGrade: types.StringNull()}
		id, rest, inState := strings.Cut(word, "=")
		if inState {
			d.ID, d.StorageGrade = types.StringValue(id), types.StringValue("sata")
		} else {
			rest = word
		}
		parts := strings.Split(rest, "/")
		d.Label = types.StringValue(parts[0])
		if parts[0] == "?" {
			d.Label = types.StringUnknown()
		}
		if len(parts) > 1 {
			size, _ := strconv.ParseInt(parts[1], 10, 64)
			d.Size = types.Int64Value(size)
		}
		if len(parts) > 2 {
			d.StorageGrade = types.StringValue(parts[2])
		}
		discs = append(discs, d)
	}
	return discs
}

// String returns the decision as in the table.
func (d discDecision) String() string {
	if len(d.refused) > 0 {
		return "refused: " + summaries(d.refused)
	}
	parts := []string{strings.Join(mapped(d.planned, func(disc discModel) string {
		id, label := disc.ID.ValueString(), disc.Label.ValueString()
		if disc.ID.IsUnknown() {
			id = "new"
		}
		if disc.Label.IsUnknown() {
			label = "?"
		}
		return id + "=" + label
	}), " ")}
	for _, c := range d.change.rename {
		parts = append(parts, fmt.Sprintf("rename %s to %s", c.had.Label.ValueString(), c.disc.Label.ValueString()))
	}
	for _, c := range d.change.grow {
		parts = append(parts, "grow "+c.disc.Label.ValueString())
	}
	for _, c := range d.change.add {
		parts = append(parts, "add "+c.disc.Label.ValueString())
	}
	for _, of := range []struct {
		verb  string
		discs []discModel
	}{
		{"adopt", d.change.adopted}, {"purge", d.change.purge}, {"leave", d.change.moved}, {"release", d.change.released}, {"may purge", d.undecided},
	} {
		for _, label := range labels(of.discs) {
			parts = append(parts, of.verb+" "+label)
		}
	}
	return strings.Join(parts, "; ")
}

// summaries returns the summaries of diagnostics.
func summaries(diags diag.Diagnostics) string {
	return strings.Join(mapped(diags, diag.Diagnostic.Summary), "; ")
}
