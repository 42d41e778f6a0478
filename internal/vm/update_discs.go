package vm

import (
	"context"
	"fmt"
	"slices"

	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/cloudserver"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/tfkit"
)

// discChange is what an update does to a machine's discs. It follows from the
// ids in state and plan: a planned id is that disc, whatever its label reads.
type discChange struct {
	add      []indexedDisc
	rename   []discRename
	grow     []indexedDisc
	purge    []discModel
	released []discModel // left alone, because they were imported without a block
	adopted  []discModel // foreign until now
}

type indexedDisc struct {
	index int // of the block
	disc  discModel
}

type discRename struct {
	index    int
	from, to string
	id       int64
}

func changeDiscs(state, planned []discModel, p private) discChange {
	var c discChange
	stays := map[string]bool{}
	for i, disc := range planned {
		if !tfkit.Given(disc.ID) {
			c.add = append(c.add, indexedDisc{i, disc})
			continue
		}
		stays[disc.ID.ValueString()] = true
		had, ok := p.had(disc, state)
		if !ok {
			c.adopted = append(c.adopted, disc)
		}
		if !sameLabel(had.Label, disc.Label) {
			c.rename = append(c.rename, discRename{i, had.Label.ValueString(), disc.Label.ValueString(), disc.numericID()})
		}
		if disc.Size.ValueInt64() > had.Size.ValueInt64() {
			c.grow = append(c.grow, indexedDisc{i, disc})
		}
	}
	for _, disc := range state {
		switch {
		case stays[disc.ID.ValueString()]:
		case p.Adopted:
			c.released = append(c.released, disc)
		default:
			c.purge = append(c.purge, disc)
		}
	}
	return c
}

// had returns the disc as it is before the update; ok is false for a foreign one.
func (p private) had(disc discModel, state []discModel) (had discModel, ok bool) {
	if had, ok := discWithID(state, disc.ID); ok {
		return had, true
	}
	f := p.Foreign[disc.ID.ValueString()]
	return discModel{ID: disc.ID, Label: tfkit.StringOrNull(f.Label), Size: types.Int64Value(f.Size)}, false
}

// discSteps are the calls for a machine's discs (API.md §4), what keeps data
// first. Purging comes before adding: a machine has room for eight.
func (u *update) discSteps() []step {
	var steps []step
	for _, r := range u.change.discs.rename {
		steps = append(steps, step{fmt.Sprintf("rename disc %q to %q of", r.from, r.to), blameDisc(r.index), func(ctx context.Context) error {
			err := u.machine.UpdateDisc(ctx, r.id, cloudserver.DiscUpdate{Label: &r.to})
			if i := slices.IndexFunc(u.discs, func(d discModel) bool { return d.numericID() == r.id }); err == nil && i >= 0 {
				u.discs[i].Label = types.StringValue(r.to)
			}
			return err
		}})
	}
	for _, g := range u.change.discs.grow {
		size := g.disc.Size.ValueInt64()
		steps = append(steps, step{fmt.Sprintf("grow disc %q to %d megabytes of", g.disc.Label.ValueString(), size), blameDisc(g.index), func(ctx context.Context) error {
			return u.machine.UpdateDisc(ctx, g.disc.numericID(), cloudserver.DiscUpdate{Size: &size})
		}})
	}
	for _, p := range u.change.discs.purge {
		steps = append(steps, step{fmt.Sprintf("purge disc %q of", p.Label.ValueString()), blameDisc(-1), func(ctx context.Context) error {
			return u.machine.PurgeDisc(ctx, p.numericID())
		}})
	}
	for _, a := range u.change.discs.add {
		steps = append(steps, step{fmt.Sprintf("add disc %q to", a.disc.Label.ValueString()), blameDisc(a.index), func(ctx context.Context) error {
			err := u.machine.AddDisc(ctx, a.disc.toAPI())
			if err == nil {
				u.discs = append(u.discs, a.disc)
			}
			return err
		}})
	}
	return steps
}

// blameDisc finds the attribute of the block at index.
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
