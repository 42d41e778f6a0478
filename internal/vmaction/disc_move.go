// SPDX-License-Identifier: MPL-2.0

package vmaction

import (
	"context"
	"fmt"
	"slices"

	"github.com/hashicorp/terraform-plugin-framework/action"
	"github.com/hashicorp/terraform-plugin-framework/action/schema"
	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/cloudserver"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/machine"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/progress"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/tfkit"
)

// NewDiscMove returns the action cloudserver_disc_move (API.md §4).
func NewDiscMove() action.Action {
	return &machineAction[moveConfig]{
		name: "_disc_move", timeout: defaultTimeout, task: moveConfig.task,
		description: "Moves a disc with its data from one virtual machine to another. " +
			"Both are off meanwhile, and get back the power that they had.",
		attributes: withShutdown(map[string]schema.Attribute{
			"disc_id":        idAttribute("ID of the disc, such as `cloudserver_vm.old.disc_ids[\"data\"]`.", tfkit.DiscID),
			"to":             idAttribute("ID of the machine that the disc is moved to.", tfkit.MachineID),
			"allow_stopping": allowStoppingAttribute("machines that are on may be stopped"),
		}),
	}
}

type moveConfig struct {
	discConfig
	shutdown

	To            types.String `tfsdk:"to"`
	AllowStopping types.Bool   `tfsdk:"allow_stopping"`
}

func (c moveConfig) task() *task {
	return &task{
		target: c.target, discID: c.DiscID, toID: c.To, restarts: true, shutdown: c.toMachine(),
		what:     fmt.Sprintf("move disc %s to virtual machine %s", c.DiscID.ValueString(), c.To.ValueString()),
		validate: c.validate, refuse: c.refuse, do: []part{move},
		blame: map[string]string{"virtual_machine_id": "to"},
	}
}

func (c moveConfig) validate(_ context.Context, diags *diag.Diagnostics) {
	if tfkit.Given(c.To) && c.To.Equal(c.VirtualMachineID) {
		diags.AddAttributeError(path.Root("to"), "Invalid target of a disc",
			"to and virtual_machine_id are the same machine. Set to to the ID of another one.")
	}
}

// refuse applies to both machines. A disc that is on the target already needs nothing.
func (c moveConfig) refuse(vm *cloudserver.VirtualMachine, disc *cloudserver.Disc) string {
	isThere := disc.VirtualMachineID == tfkit.IDOf(c.To)
	hasLabel := func(d cloudserver.Disc) bool { return d.ID != disc.ID && cloudserver.SameLabel(d.Label, disc.Label) }
	switch {
	case isThere:
		return ""
	case len(vm.Discs) > 0 && vm.Discs[0].ID == disc.ID:
		return fmt.Sprintf("%s boots from disc %q, and the service moves no boot disc.", titleOf(vm), disc.Label)
	case slices.ContainsFunc(vm.Discs, hasLabel):
		return fmt.Sprintf("%s has a disc %q already: labels are unique on a machine, so rename one of them first.",
			titleOf(vm), disc.Label)
	}
	return refuseOn(vm, c.AllowStopping, "moves a disc only while both machines are off")
}

// move stops both machines, moves the disc, and restores their power.
func move(ctx context.Context, t *task) error {
	if t.disc.VirtualMachineID == t.to.Location().ID {
		progress.Report(ctx, "the disc is on "+t.to.Title()+" already")
		return nil
	}
	if err := stop(ctx, t); err != nil {
		return err
	}
	progress.Report(ctx, "moving disc "+t.disc.Label)
	if err := t.MoveDisc(ctx, t.disc.ID, t.to); err != nil {
		return err
	}
	return t.run.Each(ctx, func(ctx context.Context, m *machine.Machine) error { return m.SetPower(ctx, m.Before()) })
}
