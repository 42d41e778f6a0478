// SPDX-License-Identifier: MPL-2.0

package vm

import (
	"context"
	"fmt"
	"strconv"
	"sync"

	"github.com/hashicorp/terraform-plugin-framework-timeouts/resource/timeouts"
	"github.com/hashicorp/terraform-plugin-framework/attr"
	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/tfsdk"
	"github.com/hashicorp/terraform-plugin-framework/types"
	"github.com/hashicorp/terraform-plugin-framework/types/basetypes"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/inventory"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/machine"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/tfkit"
)

// common has the attributes that the resource and the data sources have in common.
type common struct {
	ID                    types.String `tfsdk:"id"`
	Account               types.String `tfsdk:"account"`
	Group                 types.String `tfsdk:"group"`
	GroupID               types.String `tfsdk:"group_id"`
	Name                  types.String `tfsdk:"name"`
	Cores                 types.Int64  `tfsdk:"cores"`
	Memory                types.Int64  `tfsdk:"memory"` // megabytes
	HardwareProfile       types.String `tfsdk:"hardware_profile"`
	HardwareProfileLocked types.Bool   `tfsdk:"hardware_profile_locked"`
	AutorebootOn          types.Bool   `tfsdk:"autoreboot_on"`
	PowerOn               types.Bool   `tfsdk:"power_on"`
	Keymap                types.String `tfsdk:"keymap"`
	CDROMURL              types.String `tfsdk:"cdrom_url"`
	ZoneName              types.String `tfsdk:"zone_name"`
	LastImagedWith        types.String `tfsdk:"last_imaged_with"`
	Hostname              types.String `tfsdk:"hostname"`
	ManagementAddress     types.String `tfsdk:"management_address"`
	IPv4Address           types.String `tfsdk:"ipv4_address"`
	IPv6Address           types.String `tfsdk:"ipv6_address"`
}

// resourceOnly has the attributes that only the resource has: how the provider treats the machine, and what it derives.
// None has a default in the schema: null means the documented default, which the methods of the model return.
type resourceOnly struct {
	AccountID                types.String `tfsdk:"account_id"`
	EffectiveHardwareProfile types.String `tfsdk:"effective_hardware_profile"`
	AllowStoppingForUpdate   types.Bool   `tfsdk:"allow_stopping_for_update"`
	ShutdownTimeout          types.String `tfsdk:"shutdown_timeout"`
	OnShutdownTimeout        types.String `tfsdk:"on_shutdown_timeout"`
	ShutdownBeforeDestroy    types.Bool   `tfsdk:"shutdown_before_destroy"`
	DeletionProtection       types.Bool   `tfsdk:"deletion_protection"`
	PurgeOnDestroy           types.Bool   `tfsdk:"purge_on_destroy"`
	DiscIDs                  types.Map    `tfsdk:"disc_ids"`
	Pending                  types.String `tfsdk:"pending"`
	LastChange               types.Object `tfsdk:"last_change"`
}

// model is the resource in configurations, plans and states.
type model struct {
	common
	resourceOnly

	Disc     types.List     `tfsdk:"disc"`
	Reimage  types.Object   `tfsdk:"reimage"`
	IPs      types.Object   `tfsdk:"ips"`
	Ready    types.Object   `tfsdk:"ready"`
	Timeouts timeouts.Value `tfsdk:"timeouts"`
}

// save writes state and identity together, because the framework requires both from every operation, even for a CLI
// without identities. A state must not contain unknown values.
func (m model) save(
	ctx context.Context, state *tfsdk.State, identity *tfsdk.ResourceIdentity, diags *diag.Diagnostics,
) {
	diags.Append(state.Set(ctx, m.withoutUnknown())...)
	m.identity().Save(ctx, identity, diags)
}

// withoutUnknown returns the model with null in place of unknown values.
func (m model) withoutUnknown() model {
	tfkit.FillUnknown(&m.common, common{})
	tfkit.FillUnknown(&m.resourceOnly, resourceOnly{})
	m.Disc = discList(fillDiscs(m.discs(), nil))
	m.DiscIDs = m.discIDs()
	if m.LastChange.IsNull() { // or was unknown
		m.LastChange = noLastChange()
	}
	return m
}

// identity returns the resource identity, which never changes: the ID.
func (m *model) identity() tfkit.ResourceIdentity { return tfkit.ResourceIdentity{"id": m.ID} }

// numericID returns the machine's ID, or 0 if the state has none.
func (m *common) numericID() int64 { return tfkit.IDOf(m.ID) }

// location returns where the machine is, as the state describes it.
func (m *model) location() inventory.Location {
	return inventory.Location{
		Account: m.Account.ValueString(), AccountID: tfkit.IDOf(m.AccountID),
		GroupID: tfkit.IDOf(m.GroupID), ID: m.numericID(),
	}
}

// operations returns the operations on the machine, which is as in the state. shutdown says how it is stopped.
func (m *model) operations(data *tfkit.ProviderData, shutdown machine.Shutdown) *machine.Machine {
	return m.operationsAt(m.location(), data, shutdown)
}

// operationsAt is operations for a location that has more than the state knows.
func (m *model) operationsAt(
	location inventory.Location, data *tfkit.ProviderData, shutdown machine.Shutdown,
) *machine.Machine {
	service := machine.Service{Client: data.Client, Inventory: data.Inventory}
	return machine.New(service, m.title(), location, m.power(), shutdown)
}

// power returns the power of the machine.
func (m *common) power() machine.Power {
	return machine.Power{On: m.PowerOn.ValueBool(), Autoreboot: m.AutorebootOn.ValueBool()}
}

// shutdown returns how the machine is stopped.
func (m *resourceOnly) shutdown() machine.Shutdown {
	return machine.Shutdown{
		Timeout: tfkit.Duration(m.ShutdownTimeout, machine.DefaultShutdownTimeout),
		Fail:    m.OnShutdownTimeout.ValueString() == machine.FailOnTimeout,
	}
}

// purges reports whether deleting the machine destroys it permanently, which is the default.
func (m *resourceOnly) purges() bool { return !m.PurgeOnDestroy.Equal(types.BoolValue(false)) }

// title names the machine in messages, by its ID if its name is unknown.
func (m *common) title() string {
	if m.Name.ValueString() == "" && m.ID.ValueString() != "" {
		return "virtual machine " + m.ID.ValueString()
	}
	return "virtual machine " + strconv.Quote(m.Name.ValueString())
}

// fullTitle names the machine and its location in messages.
func (m *common) fullTitle() string {
	return fmt.Sprintf("%s in group %q of account %q", m.title(), m.Group.ValueString(), m.Account.ValueString())
}

// withAction explains how users do what an action does: tfkit.ProviderData.WithAction.
type withAction func(action string, arguments ...string) string

// onMachine explains how users do what an action on the machine with the ID does.
func (with withAction) onMachine(action, id string, more ...string) string {
	return with("vm_"+action, append([]string{"virtual_machine_id=" + id}, more...)...)
}

// byAction is [withAction.onMachine] outside of plans.
func (r *vmResource) byAction(action, id string, more ...string) string {
	return withAction(r.Data.WithAction).onMachine(action, id, more...)
}

// blockOf decodes a block. ok is false if it is not configured, or unknown.
func blockOf[M any](object types.Object) (m M, ok bool) {
	ok = tfkit.Given(object) && !object.As(context.Background(), &m, basetypes.ObjectAsOptions{}).HasError()
	return m, ok
}

// objectOf encodes a block, whose struct matches its schema.
func objectOf(attributes map[string]attr.Type, block any) types.Object {
	object, _ := types.ObjectValueFrom(context.Background(), attributes, block)
	return object
}

// typesOf returns a function that returns the types of a block's attributes. They are determined on first use, so that
// the provider starts faster.
func typesOf(block func() attr.Type) func() map[string]attr.Type {
	return sync.OnceValue(func() map[string]attr.Type {
		object, _ := block().(attr.TypeWithAttributeTypes)
		return object.AttributeTypes()
	})
}

// mapped returns the results of f for all elements.
func mapped[T, U any](list []T, f func(T) U) []U {
	made := make([]U, len(list))
	for i, element := range list {
		made[i] = f(element)
	}
	return made
}

// differs reports whether the wanted value is known and differs from the current one.
func differs(before, wanted attr.Value) bool {
	return tfkit.Given(wanted) && !wanted.Equal(before)
}
