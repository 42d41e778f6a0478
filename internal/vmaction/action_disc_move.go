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
	"github.com/cloudserver/terraform-provider-cloudserver/internal/tfkit"
)

// NewDiscMove returns the action cloudserver_disc_move (API.md §4).
func NewDiscMove() action.Action {
	return &tfkit.Action[discMoveConfig]{
		Name: "_disc_move", DefaultTimeout: defaultTimeout, Order: discMoveConfig.order,
		Description: "Moves a disc with its data from one virtual machine to another. Both are off meanwhile, and get back the power that they had. The boot disc cannot be moved.",
		Attributes: map[string]schema.Attribute{
			"disc_id":          tfkit.RequiredID("ID of the disc, such as `cloudserver_vm.old.disc[1].id`."),
			"to":               tfkit.RequiredID("ID of the machine that the disc is moved to: `id` of a `cloudserver_vm`."),
			"allow_stopping":   allowStoppingAttribute("machines that are on may be stopped"),
			"shutdown_timeout": shutdownTimeoutAttribute(),
		},
	}
}

type discMoveConfig struct {
	tfkit.Target
	DiscID          types.String `tfsdk:"disc_id"`
	To              types.String `tfsdk:"to"`
	AllowStopping   types.Bool   `tfsdk:"allow_stopping"`
	ShutdownTimeout types.String `tfsdk:"shutdown_timeout"`
}

func (c discMoveConfig) order() tfkit.Order {
	return tfkit.Order{Target: c.Target, Also: c.To, What: c.what(), Validate: c.validate, Do: c.run}
}

func (c discMoveConfig) what() string {
	return fmt.Sprintf("move disc %s to virtual machine %s", c.DiscID.ValueString(), c.To.ValueString())
}

func (c discMoveConfig) validate(diags *diag.Diagnostics) {
	if tfkit.Given(c.To) && c.To.Equal(c.VirtualMachineID) {
		diags.AddAttributeError(path.Root("to"), "Invalid target of a disc", "to and virtual_machine_id are the same machine. Set to to the ID of another one.")
	}
}

// run stops both machines, moves the disc, and restores their power, also after a
// failure. A disc that is there already is no error: the action may be invoked again.
func (c discMoveConfig) run(ctx context.Context, data *tfkit.ProviderData, say func(string), diags *diag.Diagnostics) {
	disc, err := data.Client.Disc(ctx, tfkit.IDOf(c.DiscID))
	if err == nil && disc.VirtualMachineID == tfkit.IDOf(c.To) {
		say("nothing to do: the disc is on virtual machine " + c.To.ValueString())
		return
	}
	if err == nil && disc.VirtualMachineID != tfkit.IDOf(c.VirtualMachineID) {
		err = fmt.Errorf("disc %d is on virtual machine %d, not on %s", disc.ID, disc.VirtualMachineID, c.VirtualMachineID.ValueString())
	}
	var from, to *operation.Machine
	if err == nil {
		from, err = c.work(disc).begin(ctx, data, c.VirtualMachineID, say)
	}
	if err == nil {
		to, err = c.work(disc).begin(ctx, data, c.To, say)
	}
	if err != nil {
		tfkit.AddError(diags, "Cannot "+c.what(), err, blame(map[string]string{"virtual_machine_id": "to"}), "Nothing was changed. Check virtual_machine_id, disc_id and to.")
		return
	}
	err = move(ctx, from, to, disc)
	for _, machine := range []*operation.Machine{from, to} {
		if err == nil {
			err = machine.SetPower(ctx, machine.WasOn, machine.WasAutoreboot)
		}
	}
	if err != nil {
		addFailure(diags, c.what(), err, blame(map[string]string{"virtual_machine_id": "to"}))
		restorePower(ctx, from, c.VirtualMachineID, diags)
		restorePower(ctx, to, c.To, diags)
	}
}

// work returns what both machines have to be.
func (c discMoveConfig) work(disc *cloudserver.Disc) work {
	return work{shutdown: c.ShutdownTimeout, refuse: func(vm *cloudserver.VirtualMachine) string {
		has := func(d cloudserver.Disc) bool { return d.ID != disc.ID && cloudserver.SameLabel(d.Label, disc.Label) }
		switch {
		case len(vm.Discs) > 0 && vm.Discs[0].ID == disc.ID:
			return fmt.Sprintf("The disc is the boot disc of virtual machine %d, which the service does not move.", vm.ID)
		case slices.ContainsFunc(vm.Discs, has):
			return fmt.Sprintf("Virtual machine %d has a disc %q already: labels are unique on a machine, so rename one of them first.", vm.ID, disc.Label)
		}
		return refuseOn(vm, c.AllowStopping, "moves a disc only while both machines are off")
	}}
}

func move(ctx context.Context, from, to *operation.Machine, disc *cloudserver.Disc) error {
	for _, machine := range []*operation.Machine{from, to} {
		if err := machine.Stop(ctx); err != nil {
			return err
		}
	}
	from.Tell("moving disc " + disc.Label)
	return from.MoveDisc(ctx, disc.ID, to)
}
