package vm

import (
	"context"
	"fmt"
	"slices"

	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/cloudserver"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/tfkit"
)

// discSteps are the changes of a machine's discs (API.md §4). Steps that keep data come first. Purging precedes adding,
// because a machine has room for eight discs.
func (u *update) discSteps() (steps []step) {
	add := func(index int, verb string, do func(context.Context) error) {
		steps = append(steps, step{verb: verb, do: do, blame: blameDisc(index)})
	}
	for _, d := range u.change.discs.rename {
		add(d.index, fmt.Sprintf("rename disc %s to %s of", d.had.Label, d.disc.Label),
			func(ctx context.Context) error { return u.renameDisc(ctx, d.disc) })
	}
	for _, d := range u.change.discs.grow {
		add(d.index, fmt.Sprintf("grow disc %s to %s megabytes of", d.disc.Label, d.disc.Size),
			func(ctx context.Context) error {
				return u.machine.UpdateDisc(ctx, d.disc.numericID(),
					cloudserver.DiscUpdate{Size: d.disc.Size.ValueInt64Pointer()})
			})
	}
	for _, d := range u.change.discs.purge {
		add(-1, fmt.Sprintf("purge disc %s of", d.Label),
			func(ctx context.Context) error { return u.purgeDisc(ctx, d) })
	}
	for _, d := range u.change.discs.add {
		add(d.index, fmt.Sprintf("add disc %s to", d.disc.Label),
			func(ctx context.Context) error { return u.addDisc(ctx, d) })
	}
	return steps
}

func (u *update) renameDisc(ctx context.Context, disc discModel) error {
	err := u.machine.UpdateDisc(ctx, disc.numericID(), cloudserver.DiscUpdate{Label: disc.Label.ValueStringPointer()})
	if err != nil {
		return err
	}
	for i := range u.discs {
		if u.discs[i].ID.Equal(disc.ID) {
			u.discs[i].Label = disc.Label
		}
	}
	return nil
}

func (u *update) purgeDisc(ctx context.Context, disc discModel) error {
	if err := u.machine.PurgeDisc(ctx, disc.numericID()); err != nil {
		return err
	}
	u.discs = slices.DeleteFunc(u.discs, func(d discModel) bool { return d.ID.Equal(disc.ID) })
	return nil
}

// addDisc adds a disc, and completes its block in the plan.
func (u *update) addDisc(ctx context.Context, d indexedDisc) error {
	added, err := u.machine.AddDisc(ctx, d.disc.toAPI())
	if err != nil {
		return err
	}
	disc := d.disc
	disc.ID = tfkit.IDOrNull(added.ID)
	disc.StorageGrade = tfkit.PlannedOr(disc.StorageGrade, types.StringValue(reportedGrade(*added)))
	planned := u.plan.discs()
	planned[d.index] = disc
	u.plan.Disc = discList(planned)
	neverSeen := func(had discModel) bool { return !tfkit.Given(had.ID) && sameLabel(had.Label, disc.Label) }
	u.discs = append(slices.DeleteFunc(u.discs, neverSeen), disc)
	return nil
}
