package vm

import (
	"context"
	"fmt"

	"github.com/hashicorp/terraform-plugin-framework/path"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/cloudserver"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/tfkit"
)

// discSteps are the calls for a machine's discs (api.md §4), what keeps data
// first. Purging comes before adding: a machine has room for eight.
func (u *updater) discSteps() []step {
	var steps []step
	for _, r := range u.change.discs.rename {
		steps = append(steps, u.discStep(fmt.Sprintf("rename disc %q to %q of", r.from, r.to), r.index, func(ctx context.Context) error {
			_, err := u.client.UpdateDisc(ctx, u.ref, r.id, cloudserver.DiscUpdate{Label: &r.to})
			return err
		}))
	}
	for _, g := range u.change.discs.grow {
		size := g.disc.Size.ValueInt64()
		steps = append(steps, u.discStep(fmt.Sprintf("grow disc %q to %d megabytes of", g.disc.Label.ValueString(), size), g.index, func(ctx context.Context) error {
			_, err := u.client.UpdateDisc(ctx, u.ref, g.disc.ID.ValueInt64(), cloudserver.DiscUpdate{Size: &size})
			return err
		}))
	}
	for _, p := range u.change.discs.purge {
		steps = append(steps, u.discStep(fmt.Sprintf("purge disc %q of", p.Label.ValueString()), -1, func(ctx context.Context) error {
			err := u.client.PurgeDisc(ctx, u.ref, p.ID.ValueInt64())
			if cloudserver.IsNotFound(err) {
				return nil
			}
			return err
		}))
	}
	for _, a := range u.change.discs.add {
		steps = append(steps, u.discStep(fmt.Sprintf("add disc %q to", a.disc.Label.ValueString()), a.index, func(ctx context.Context) error {
			_, err := u.client.AddDisc(ctx, u.ref, a.disc.toAPI())
			return err
		}))
	}
	return steps
}

// discStep is one call about the disc at index in the configuration.
func (u *updater) discStep(verb string, index int, call func(context.Context) error) step {
	return step{verb, blameDisc(index), func(ctx context.Context) error {
		err := call(ctx)
		u.wrote()
		return err
	}}
}

func blameDisc(index int) tfkit.AttributePath {
	return func(problem cloudserver.Problem) (path.Path, bool) {
		if index < 0 {
			return path.Root("disc"), true
		}
		at := path.Root("disc").AtListIndex(index)
		switch problem.Attribute {
		case "label", "size", "storage_grade":
			return at.AtName(problem.Attribute), true
		}
		return at, true
	}
}
