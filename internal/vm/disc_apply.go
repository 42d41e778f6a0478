package vm

import (
	"context"
	"fmt"
	"slices"

	"github.com/hashicorp/terraform-plugin-framework/path"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/cloudserver"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/presence"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/run"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/tfkit"
)

// errLabelWanted returns an error for a disc to be purged if somebody has given it the label of a planned block since
// the plan was made.
func (u *update) errLabelWanted(d discModel, found *cloudserver.Disc) error {
	if why := labelWanted(d, found.Label, u.plan.discs()); why != "" {
		return &attributeError{path.Root("disc"), why + " " + u.done() + " Run plan to see which disc each block means."}
	}
	return nil
}

// refuseLabelWanted checks the discs to be purged before anything is sent. Each is checked again right before it is
// purged.
func (u *update) refuseLabelWanted(ctx context.Context) error {
	if len(u.change.discs.purge) == 0 {
		return nil
	}
	vm, err := u.machine.LookByID(ctx)
	if err != nil {
		return err
	}
	for _, d := range u.change.discs.purge {
		if found := findDisc(d, vm.Discs); found != nil {
			if err := u.errLabelWanted(d, found); err != nil {
				return err
			}
		}
	}
	return nil
}

// discSteps are the calls for a machine's discs (API.md §4). Steps that keep data come first. Purging precedes adding,
// because a machine has room for eight discs.
func (u *update) discSteps() []step {
	var steps []step
	add := func(index int, do func(context.Context) error, verb string, values ...any) {
		steps = append(steps, step{fmt.Sprintf(verb, values...), blameDisc(index), do})
	}
	for _, d := range u.change.discs.rename {
		add(d.index, func(ctx context.Context) error {
			err := u.machine.UpdateDisc(ctx, d.disc.numericID(), cloudserver.DiscUpdate{
				Label: d.disc.Label.ValueStringPointer(),
			}, func(now *cloudserver.Disc) error { return u.errOtherLabel(d, now) })
			if i := slices.IndexFunc(u.discs, func(own discModel) bool { return own.ID.Equal(d.disc.ID) }); err == nil && i >= 0 {
				u.discs[i].Label = d.disc.Label
			}
			return err
		}, "rename disc %s to %s of", d.had.Label, d.disc.Label)
	}
	for _, d := range u.change.discs.grow {
		add(d.index, func(ctx context.Context) error {
			return u.machine.UpdateDisc(
				ctx, d.disc.numericID(), cloudserver.DiscUpdate{Size: d.disc.Size.ValueInt64Pointer()},
				func(now *cloudserver.Disc) error { return u.errOtherSize(d, now) },
			)
		}, "grow disc %s to %s megabytes of", d.disc.Label, d.disc.Size)
	}
	for _, d := range u.change.discs.purge {
		add(-1, func(ctx context.Context) error {
			err := u.machine.PurgeDisc(
				ctx, d.numericID(), func(found *cloudserver.Disc) error { return u.errLabelWanted(d, found) },
			)
			if err == nil {
				u.discs = slices.DeleteFunc(u.discs, func(own discModel) bool { return own.ID.Equal(d.ID) })
				u.private.Discs = u.private.Discs.without(d)
			}
			return err
		}, "purge disc %s of", d.Label)
	}
	for _, d := range u.change.discs.add {
		add(d.index, func(ctx context.Context) error {
			found, failure, err := u.machine.AddDisc(ctx, d.disc.toAPI())
			if err == nil {
				u.discs = append(u.discs, d.disc)
			}
			if err == nil && found != nil {
				presence.WarnAdopted(discPath(d.index, "label"), run.ObjectWithID(run.Disc, found.ID), fmt.Sprintf("label %q", found.Label), failure, &u.warnings)
			}
			return err
		}, "add disc %s to", d.disc.Label)
	}
	return steps
}

// blameDisc returns the attribute to blame in the block at index; -1 means the list.
func blameDisc(index int) tfkit.AttributePath {
	return func(problem cloudserver.Problem) (path.Path, bool) { return discPath(index, problem.Attribute), true }
}

// fillDiscs completes planned discs: by ID if the plan has it, and new discs by label.
func fillDiscs(planned []discModel, reported []cloudserver.Disc) []discModel {
	return mapped(planned, func(d discModel) discModel {
		var found discModel
		if r := findDisc(d, reported); r != nil {
			found = discFromAPI(*r)
		}
		d.StorageGrade = tfkit.PlannedOr(d.StorageGrade, found.StorageGrade)
		d.ID = tfkit.PlannedOr(d.ID, found.ID)
		return d
	})
}
