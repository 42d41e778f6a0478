package vm

import (
	"fmt"

	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/tfkit"
)

// discChange is what an update does to a machine's discs. Index is the disc's
// position in the configuration, for messages at it.
type discChange struct {
	before  []discModel // what the machine has
	unknown bool        // which discs are wanted is not known yet
	planned []discModel // what the plan shows: known ids for discs that stay

	add     []indexedDisc
	rename  []discRename
	grow    []indexedDisc
	purge   []discModel
	regrade []indexedDisc // cannot be done in place: the machine is replaced

	refusals []refusal
}

type indexedDisc struct {
	index int
	disc  discModel
}

type discRename struct {
	index    int
	from, to string
	id       int64
}

// refusal is a change that the provider will not make, at the attribute to blame.
type refusal struct {
	at              path.Path
	summary, detail string
}

// changeDiscs matches the configured discs with the machine's by label and says
// what has to be done. Labels must be known; sizes and grades may not be yet.
func changeDiscs(state, config []discModel) discChange {
	match := matchDiscs(state, config)
	change := discChange{before: state}
	kept := map[int]bool{}
	for i, wanted := range config {
		if from, ok := match[i]; ok {
			kept[from] = true
			change.keep(i, state[from], wanted)
		} else {
			change.add = append(change.add, indexedDisc{i, wanted})
			change.planned = append(change.planned, wanted.new())
		}
	}
	for i, disc := range state {
		if !kept[i] {
			change.purge = append(change.purge, disc)
		}
	}
	change.refuseOtherBootDisc(state, config, match)
	return change
}

// keep carries over what is known of a disc that stays and says what changes.
func (c *discChange) keep(index int, had, wanted discModel) {
	wanted.ID, wanted.StoragePool = had.ID, had.StoragePool
	if wanted.StorageGrade.IsNull() {
		wanted.StorageGrade = had.StorageGrade
	}
	if !wanted.StorageGrade.Equal(had.StorageGrade) {
		c.regrade = append(c.regrade, indexedDisc{index, had})
	}
	if !wanted.Label.Equal(had.Label) {
		c.rename = append(c.rename, discRename{index, had.Label.ValueString(), wanted.Label.ValueString(), had.ID.ValueInt64()})
	}
	switch {
	case wanted.Size.IsUnknown() || wanted.Size.Equal(had.Size):
	case wanted.Size.ValueInt64() < had.Size.ValueInt64():
		c.refusals = append(c.refusals, refusal{
			path.Root("disc").AtListIndex(index).AtName("size"), "A disc cannot shrink",
			fmt.Sprintf("Disc %q has %d megabytes and the configuration asks for %d. The service only grows discs. Keep at least %d%s.",
				had.Label.ValueString(), had.Size.ValueInt64(), wanted.Size.ValueInt64(), had.Size.ValueInt64(), insteadOfShrinking(index)),
		})
	default:
		c.grow = append(c.grow, indexedDisc{index, wanted})
	}
	c.planned = append(c.planned, wanted)
}

// insteadOfShrinking is the way to a smaller disc. There is none for the boot
// disc, which no other can take the place of.
func insteadOfShrinking(index int) string {
	if index == 0 {
		return ""
	}
	return ", or add a smaller disc with another label, copy the data, and then remove this one"
}

// refuseOtherBootDisc keeps the machine bootable: its first disc stays first.
func (c *discChange) refuseOtherBootDisc(state, config []discModel, match map[int]int) {
	if len(state) == 0 {
		return
	}
	if from, ok := match[0]; ok && from == 0 {
		return
	}
	boot := state[0].Label.ValueString()
	detail := fmt.Sprintf("The machine boots from its first disc, %q, and the configuration has no disc left.", boot)
	if len(config) > 0 {
		detail = fmt.Sprintf("The machine boots from its first disc, %q, and the configuration puts %q first.", boot, config[0].Label.ValueString())
	}
	c.refusals = append(c.refusals, refusal{
		path.Root("disc"), "Another disc would become the boot disc",
		detail + fmt.Sprintf(" Put %q first again. To build the machine anew with the other disc, and lose the data of all its discs, mark it with `terraform taint` and this resource's address: the next apply replaces it.", boot),
	})
}

// matchDiscs maps positions in the configuration to positions in the state: by
// label, and one renamed disc by its position.
func matchDiscs(state, config []discModel) map[int]int {
	match := map[int]int{}
	byLabel := map[string]int{}
	for i, disc := range state {
		byLabel[disc.Label.ValueString()] = i
	}
	taken := map[int]bool{}
	var unmatched []int
	for i, disc := range config {
		if from, ok := byLabel[disc.Label.ValueString()]; ok {
			match[i], taken[from] = from, true
		} else {
			unmatched = append(unmatched, i)
		}
	}
	if len(unmatched) != 1 || len(taken) != len(state)-1 {
		return match
	}
	i := unmatched[0]
	if i < len(state) && !taken[i] && isRename(state[i], config[i]) {
		match[i] = i
	}
	return match
}

// isRename says whether the one label that is new can be the one that is gone:
// the same grade, and not smaller. Purging data for a new name is never meant.
func isRename(had, wanted discModel) bool {
	sameGrade := !tfkit.Given(wanted.StorageGrade) || wanted.StorageGrade.Equal(had.StorageGrade)
	fits := tfkit.Given(wanted.Size) && wanted.Size.ValueInt64() >= had.Size.ValueInt64()
	return sameGrade && fits
}

// new is a configured disc as the plan of its creation shows it.
func (d discModel) new() discModel {
	d.ID, d.StoragePool = types.Int64Unknown(), types.StringUnknown()
	if d.StorageGrade.IsNull() {
		d.StorageGrade = types.StringUnknown()
	}
	return d
}

// settle fills what the plan left open with what the service told.
func (d discModel) settle(told discModel) discModel {
	d.StorageGrade = tfkit.Settled(d.StorageGrade, told.StorageGrade)
	d.ID = tfkit.Settled(d.ID, told.ID)
	d.StoragePool = tfkit.Settled(d.StoragePool, told.StoragePool)
	return d
}

// labelsKnown says whether discs can be matched yet.
func labelsKnown(discs []discModel) bool {
	for _, disc := range discs {
		if disc.Label.IsUnknown() {
			return false
		}
	}
	return true
}
