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
	"github.com/cloudserver/terraform-provider-cloudserver/internal/operation"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/progress"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/tfkit"
)

// NewDiscMove returns the action cloudserver_disc_move (API.md §4).
func NewDiscMove() action.Action {
	return &machineAction[discMoveConfig]{
		name: "_disc_move", timeout: defaultTimeout, order: discMoveConfig.order,
		description: "Moves a disc with its data from one virtual machine to another. Both are off meanwhile, and get back the power that they had.",
		attributes: withShutdown(map[string]schema.Attribute{
			"disc_id":        idAttribute("ID of the disc, such as `cloudserver_vm.old.disc[1].id`."),
			"to":             idAttribute("ID of the machine that the disc is moved to."),
			"allow_stopping": allowStoppingAttribute("machines that are on may be stopped"),
		}),
	}
}

type discMoveConfig struct {
	discConfig
	shutdown

	To            types.String `tfsdk:"to"`
	AllowStopping types.Bool   `tfsdk:"allow_stopping"`
}

func (c discMoveConfig) order() order {
	return order{
		target: c.target, disc: c.DiscID, to: c.To, restarts: true, power: true, shutdown: c.shutdown,
		what: fmt.Sprintf("move disc %s to virtual machine %s", c.DiscID.ValueString(), c.To.ValueString()),
		validate: func(diags *diag.Diagnostics) {
			if tfkit.Given(c.To) && c.To.Equal(c.VirtualMachineID) {
				diags.AddAttributeError(path.Root("to"), "Invalid target of a disc", "to and virtual_machine_id are the same machine. Set to to the ID of another one.")
			}
		},
		never: refuseBootDisc, refuse: c.refuse, do: move, blame: map[string]string{"virtual_machine_id": "to"},
	}
}

// refuseBootDisc refuses a disc that the service never moves.
func refuseBootDisc(vm *cloudserver.VirtualMachine, disc *cloudserver.Disc) string {
	if len(vm.Discs) > 0 && vm.Discs[0].ID == disc.ID {
		return fmt.Sprintf("The disc is the boot disc of virtual machine %d, which the service does not move.", vm.ID)
	}
	return ""
}

// refuse applies to both machines.
func (c discMoveConfig) refuse(vm *cloudserver.VirtualMachine, disc *cloudserver.Disc) string {
	has := func(d cloudserver.Disc) bool { return d.ID != disc.ID && cloudserver.SameLabel(d.Label, disc.Label) }
	if slices.ContainsFunc(vm.Discs, has) {
		return fmt.Sprintf("Virtual machine %d has a disc %q already: labels are unique on a machine, so rename one of them first.", vm.ID, disc.Label)
	}
	return refuseOn(vm, c.AllowStopping, "moves a disc only while both machines are off")
}

// naming returns a context whose reports name the machine.
func naming(ctx context.Context, machine *operation.Machine) context.Context {
	return progress.Naming(ctx, title(machine.ID()))
}

// move stops both machines, moves the disc, and restores their power.
func move(ctx context.Context, w *work) error {
	machines := []*operation.Machine{w.Machine, w.to}
	for _, machine := range machines {
		if err := machine.Stop(naming(ctx, machine)); err != nil {
			return err
		}
	}
	progress.Report(ctx, "moving disc "+w.disc.Label)
	if err := w.MoveDisc(ctx, w.disc.ID, w.to); err != nil {
		return err
	}
	for _, machine := range machines {
		if err := machine.SetPower(naming(ctx, machine), machine.WasOn, machine.WasAutoreboot); err != nil {
			return err
		}
	}
	return nil
}
