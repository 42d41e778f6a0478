// SPDX-License-Identifier: MPL-2.0

package vm

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/cloudserver"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/tfkit"
)

// Discs are written as "ID=label/size/grade". Without the size it is 100, and without the grade "sata"; a block has no
// ID, no grade unless it is written, and "?" for an unknown label. A decision is the planned discs and what becomes of
// each, or the summaries of what is refused.
var decisions = map[string]struct {
	state     string
	unmanaged string // as the last refresh has seen them
	shown     string // as the machine shows its discs, if the plan has looked
	blocks    string
	imported  bool
	want      string
}{
	"nothing changes":       {state: "1=vda 2=data", blocks: "vda data", want: "1=vda 2=data"},
	"reordered":             {state: "1=vda 2=data 3=logs", blocks: "vda logs data", want: "1=vda 3=logs 2=data"},
	"another case":          {state: "1=vda 2=DATA", blocks: "vda data", want: "1=vda 2=data"},
	"exact labels first":    {state: "1=vda 2=DATA 3=data", blocks: "vda data", want: "1=vda 3=data; purge DATA"},
	"added":                 {state: "1=vda", blocks: "vda data", want: "1=vda new=data; add data"},
	"removed":               {state: "1=vda 2=data", blocks: "vda", want: "1=vda; purge data"},
	"the second of four":    {state: "1=vda 2=b 3=c 4=d", blocks: "vda c d", want: "1=vda 3=c 4=d; purge b"},
	"grown":                 {state: "1=vda 2=data", blocks: "vda data/200", want: "1=vda 2=data; grow data"},
	"shrunk":                {state: "1=vda 2=data", blocks: "vda data/99", want: `refused: Cannot shrink disc "data"`},
	"another grade":         {state: "1=vda 2=data", blocks: "vda data/100/ssd", want: `refused: Cannot change the storage grade of disc "data"`},
	"the grade that it has": {state: "1=vda 2=data", shown: "1=vda 2=data/100/ssd", blocks: "vda data/100/ssd", want: "1=vda 2=data"},
	"a label of digits":     {state: "1=vda", blocks: "vda 7", want: "refused: Invalid name of a disc"},
	"never seen":            {state: "1=vda -=data", blocks: "vda data", want: "1=vda new=data; add data"},
	"never seen, no block":  {state: "1=vda -=data", blocks: "vda", want: "1=vda"},

	"a new label in place renames":       {state: "1=vda 2=data 3=logs", blocks: "vda mine logs", want: "1=vda 2=mine 3=logs; rename data to mine"},
	"the boot disc is renamed":           {state: "1=vda 2=data", blocks: "sda data", want: "1=sda 2=data; rename vda to sda"},
	"renamed, and another at the end":    {state: "1=vda 2=data", blocks: "vda mine more", want: `refused: Cannot tell whether disc "data" of virtual machine "web1" is renamed or purged`},
	"renamed and grown":                  {state: "1=vda 2=data", blocks: "vda mine/200", want: "1=vda 2=mine; rename data to mine; grow mine"},
	"two new labels rename both":         {state: "1=vda 2=data 3=logs", blocks: "vda mine yours", want: "1=vda 2=mine 3=yours; rename data to mine; rename logs to yours"},
	"a new label elsewhere is no rename": {state: "1=vda 2=data 3=logs", blocks: "vda logs mine", want: `refused: Cannot tell whether disc "data" of virtual machine "web1" is renamed or purged`},
	"a smaller disc is no rename":        {state: "1=vda 2=data", blocks: "vda mine/99", want: "1=vda new=mine; add mine; purge data"},
	"another grade is no rename":         {state: "1=vda 2=data", blocks: "vda mine/100/ssd", want: "1=vda new=mine; add mine; purge data"},
	"renamed, and another one purged":    {state: "1=vda 2=data 3=logs", blocks: "vda mine", want: `refused: Cannot tell whether disc "data" of virtual machine "web1" is renamed or purged`},

	"inserted before a renamed one":     {state: "1=vda 2=log", blocks: "vda new logging", want: `refused: Cannot tell whether disc "log" of virtual machine "web1" is renamed or purged`},
	"two labels swap their places":      {state: "1=vda 2=data 3=logs", blocks: "vda logs data", want: "1=vda 3=logs 2=data"},
	"renamed, others in another order":  {state: "1=vda 2=a 3=b 4=c", blocks: "vda x c b", want: `refused: Cannot tell whether disc "a" of virtual machine "web1" is renamed or purged`},
	"none of the new ones fits":         {state: "1=vda 2=a 3=b", blocks: "vda x/99 y/100/ssd", want: "1=vda new=x new=y; add x; add y; purge a; purge b"},
	"one fits, and one does not":        {state: "1=vda 2=a 3=b", blocks: "vda x y/99", want: `refused: Cannot tell whether disc "a" of virtual machine "web1" is renamed or purged`},
	"gone, and others are renamed":      {state: "1=vda -=data 3=logs", blocks: "vda data mine", want: "1=vda new=data 3=mine; rename logs to mine; add data"},
	"imported, other labels and places": {state: "1=vda 2=data", blocks: "vda mine more", imported: true, want: "1=vda new=mine new=more; add mine; add more; release data"},
	"exchanged for another disc":        {state: "1=vda -=data", unmanaged: "9=data", blocks: "vda data", want: "1=vda 9=data; adopt data"},
	"the boot disc is another one":      {state: "-=vda 2=data", unmanaged: "9=vda", blocks: "vda data", want: "9=vda 2=data; adopt vda"},

	"renamed elsewhere":            {state: "1=vda 2=data", shown: "1=vda 2=theirs", blocks: "vda data", want: "1=vda 2=data"},
	"the configuration follows":    {state: "1=vda 2=data", shown: "1=vda 2=theirs", blocks: "vda theirs", want: "1=vda 2=theirs; rename data to theirs"},
	"followed at another position": {state: "1=vda 2=data 3=logs", shown: "1=vda 2=theirs 3=logs", blocks: "vda logs theirs", want: `refused: Cannot purge disc "data" of virtual machine "web1"`},
	"purged under a block's label": {state: "1=vda 2=data 3=logs", shown: "1=vda 2=logs 3=data", blocks: "vda data", want: `refused: Cannot purge disc "logs" of virtual machine "web1"`},

	"unmanaged, without a block":     {state: "1=vda", unmanaged: "9=theirs", blocks: "vda", want: "1=vda"},
	"unmanaged, adopted":             {state: "1=vda", unmanaged: "9=theirs", blocks: "vda theirs", want: "1=vda 9=theirs; adopt theirs"},
	"unmanaged, of another case":     {state: "1=vda", unmanaged: "9=THEIRS", blocks: "vda theirs", want: "1=vda 9=theirs; adopt theirs"},
	"unmanaged, the exact label":     {state: "1=vda", unmanaged: "8=THEIRS 9=theirs", blocks: "vda theirs", want: "1=vda 9=theirs; adopt theirs"},
	"unmanaged, adopted and grown":   {state: "1=vda", unmanaged: "9=theirs", blocks: "vda theirs/200", want: "1=vda 9=theirs; grow theirs; adopt theirs"},
	"unmanaged, adopted and smaller": {state: "1=vda", unmanaged: "9=theirs", blocks: "vda theirs/50", want: `refused: Cannot shrink disc "theirs"`},
	"unmanaged, in place of another": {state: "1=vda 2=data", unmanaged: "9=theirs", blocks: "vda theirs", want: `refused: Cannot distinguish disc "theirs" from disc "data"`},

	"imported, without a block":   {state: "1=vda 2=data", blocks: "vda", imported: true, want: "1=vda; release data"},
	"imported, another boot disc": {state: "1=vda 2=data", blocks: "data", imported: true, want: `refused: Cannot plan the discs of virtual machine "web1"`},
	"another boot disc":           {state: "1=vda 2=data", blocks: "data vda", want: "refused: Cannot change the boot disc"},
	"the boot disc is gone":       {state: "2=data", blocks: "vda data", want: "refused: Cannot change the boot disc"},
	"no block":                    {state: "1=vda", blocks: "", want: "refused: Cannot change the boot disc"},

	"an unknown label":                          {state: "1=vda 2=data 3=logs", blocks: "vda ? logs", want: "1=vda new=? 3=logs; may purge data"},
	"an unknown label beside another case":      {state: "1=vda 2=DATA", blocks: "vda ? data", want: "1=vda new=? new=data; may purge DATA"},
	"an unknown label beside an exact adoption": {state: "1=vda", unmanaged: "9=theirs", blocks: "vda ? theirs", want: "1=vda new=? 9=theirs"},
}

// TestDiscDecisions tells what each change of a configuration, and of the machine, means for its discs.
func TestDiscDecisions(t *testing.T) {
	t.Parallel()
	for name, test := range decisions {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p := private{Discs: unmanagedDiscs(nil, shownDiscs(test.unmanaged))}
			if test.imported {
				p.From = imported
			}
			d := decideDiscs(discFacts{
				machine: `virtual machine "web1"`, prior: parseDiscs(test.state), blocks: parseDiscs(test.blocks),
				labelsKnown: !strings.Contains(test.blocks, "?"), private: p, shown: shownDiscs(test.shown),
			})
			if got := d.String(); got != test.want {
				t.Errorf("decided\n%s\nwant\n%s", got, test.want)
			}
			// What is refused loses nothing, and what loses a disc, or changes the state without a request, is warned of.
			warns := len(d.change.purge)+len(d.change.released)+len(d.newlyManaged())+len(d.undecided) > 0
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
	facts := d.discFacts
	facts.prior, facts.private.From = applied, ""
	facts.private.Discs = slices.DeleteFunc(slices.Clone(d.private.Discs), func(u unmanagedDisc) bool {
		return hasDisc(d.planned, tfkit.IDOrNull(u.ID))
	})
	next := decideDiscs(facts)
	if next.refused != nil || next.warned != nil || strings.Contains(next.String(), ";") {
		t.Errorf("the next plan is %s", next)
	}
}

// shownDiscs reads discs as the service shows them.
func shownDiscs(text string) []cloudserver.Disc {
	return mapped(parseDiscs(text), func(d discModel) cloudserver.Disc {
		return cloudserver.Disc{ID: d.numericID(), Label: d.Label.ValueString(), Size: d.Size.ValueInt64(), StorageGrade: d.StorageGrade.ValueString()}
	})
}

// parseDiscs reads discs of the state, or blocks.
func parseDiscs(text string) (discs []discModel) {
	for _, word := range strings.Fields(text) {
		d := discModel{ID: types.StringNull(), Size: types.Int64Value(100), StorageGrade: types.StringNull()}
		id, rest, inState := strings.Cut(word, "=")
		if inState {
			d.ID, d.StorageGrade = textOf(id), types.StringValue("sata")
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
		{"adopt", d.change.adopted}, {"purge", d.change.purge}, {"release", d.change.released}, {"may purge", d.undecided},
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
