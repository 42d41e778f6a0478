package vm

import (
	"context"
	"strconv"
	"sync"

	"github.com/hashicorp/terraform-plugin-framework-timeouts/resource/timeouts"
	"github.com/hashicorp/terraform-plugin-framework/attr"
	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/resource"
	"github.com/hashicorp/terraform-plugin-framework/tfsdk"
	"github.com/hashicorp/terraform-plugin-framework/types"
	"github.com/hashicorp/terraform-plugin-go/tftypes"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/cloudserver"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/fleet"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/operation"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/origin"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/run"
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
	Memory                types.Int64  `tfsdk:"memory"`
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

// treatment has the attributes that only the resource has: how the provider treats the machine, and what it derives.
type treatment struct {
	EffectiveHardwareProfile types.String `tfsdk:"effective_hardware_profile"`
	AllowStoppingForUpdate   types.Bool   `tfsdk:"allow_stopping_for_update"`
	ShutdownTimeout          types.String `tfsdk:"shutdown_timeout"`
	OnShutdownTimeout        types.String `tfsdk:"on_shutdown_timeout"`
	ShutdownBeforeDestroy    types.Bool   `tfsdk:"shutdown_before_destroy"`
	DeletionProtection       types.Bool   `tfsdk:"deletion_protection"`
	PurgeOnDestroy           types.Bool   `tfsdk:"purge_on_destroy"`
	DiscIDs                  types.Map    `tfsdk:"disc_ids"`
}

// model is the resource in configurations, plans and states.
type model struct {
	common
	treatment

	Disc     types.List     `tfsdk:"disc"`
	Reimage  types.Object   `tfsdk:"reimage"`
	IPs      types.Object   `tfsdk:"ips"`
	Ready    types.Object   `tfsdk:"ready"`
	Timeouts timeouts.Value `tfsdk:"timeouts"`
}

// attributeTypes returns the types of the model's attributes and blocks by name.
var attributeTypes = attributeTypesOf(func() attr.Type {
	var of resource.SchemaResponse
	new(vmResource).Schema(context.Background(), resource.SchemaRequest{}, &of)
	return of.Schema.Type()
})

// attributeTypesOf returns a function that returns the types of an object's attributes. They are determined on first
// use, so that the provider starts faster.
func attributeTypesOf(object func() attr.Type) func() map[string]attr.Type {
	return sync.OnceValue(func() map[string]attr.Type { return tfkit.AttributeTypes(object()) })
}

// get decodes a configuration, a plan or a state.
func (m *model) get(ctx context.Context, raw tftypes.Value) diag.Diagnostics {
	if misfits := blocksFit(); misfits.HasError() {
		return misfits
	}
	return tfkit.Get(ctx, raw, attributeTypes(), m)
}

// blockModels are the structs of the blocks, by name. The block timeouts has the framework's.
var blockModels = map[string]any{"disc": &discModel{}, "reimage": &reimageModel{}, "ips": &ipsModel{}, "ready": &readyModel{}}

// blocksFit returns an error if a block of the schema has no struct, or one that does not match it. Such a block would
// be decoded as if it were not configured.
var blocksFit = sync.OnceValue(func() (diags diag.Diagnostics) {
	for name, kind := range attributeTypes() {
		if list, ok := kind.(attr.TypeWithElementType); ok {
			kind = list.ElementType()
		}
		object, ok := kind.(attr.TypeWithAttributeTypes)
		if !ok || name == "timeouts" {
			continue
		}
		target, ok := blockModels[name]
		if !ok {
			diags.AddError("Block without a struct", "blockModels lacks the block "+name+". This is a bug in the provider.")
			continue
		}
		diags.Append(tfkit.Fits(context.Background(), object.AttributeTypes(), target)...)
	}
	return diags
})

// set encodes a plan or a state.
func (m *model) set(ctx context.Context, raw *tftypes.Value, diags *diag.Diagnostics) {
	m.DiscIDs = m.discIDs()
	value, d := tfkit.Raw(ctx, attributeTypes(), *m)
	diags.Append(d...)
	if !d.HasError() {
		*raw = value
	}
}

// save writes state and identity together, because the framework requires both from every operation, even for a CLI
// without identities. A state must not contain unknown values, so they become null.
func (m model) save(
	ctx context.Context, state *tfsdk.State, identity *tfsdk.ResourceIdentity, diags *diag.Diagnostics,
) {
	reported := m
	reported.fromAPI(&cloudserver.VirtualMachine{ID: m.numericID()})
	m.fill(&reported, nil)
	m.set(ctx, &state.Raw, diags)
	m.identity().Save(ctx, identity, diags)
}

// identity returns the resource identity, which never changes: the ID.
func (m *model) identity() tfkit.Identity { return tfkit.Identity{"id": m.ID} }

// mapped returns the results of f for all elements.
func mapped[T, U any](list []T, f func(T) U) []U {
	made := make([]U, len(list))
	for i, element := range list {
		made[i] = f(element)
	}
	return made
}

// blockOf decodes a block. ok is false if it is not configured.
func blockOf[M any](object types.Object) (m M, ok bool) {
	ok = tfkit.Given(object) && !tfkit.Fill(object.Attributes(), &m).HasError()
	return m, ok
}

// numericID returns the machine's ID, or 0 if the state has none.
func (m *common) numericID() int64 { return tfkit.IDOf(m.ID) }

// object identifies the machine among the operations of this process.
func (m *common) object() run.Object {
	return run.Object{Kind: run.VirtualMachine, ID: m.ID.ValueString()}
}

// address returns the machine's ID and location for the fleet, and what the state knows of it.
func (m *model) address(directory *fleet.Directory) fleet.Machine {
	at := origin.Place{Group: m.Group.ValueString(), Account: m.Account.ValueString()}
	return fleet.Machine{
		Account: at.Account, Group: at.Group, GroupID: tfkit.IDOf(m.GroupID), ID: m.numericID(),
		Origin: origin.Known(
			m.numericID(), m.Hostname.ValueString(), m.Name.ValueString(), at, mapped(m.discs(), discModel.numericID),
			directory.Finder(at.Account),
		),
	}
}

// operate returns the operations on the machine, which is as in the state. as says how it is stopped.
func (m *model) operate(data *tfkit.ProviderData, as *model) *operation.Machine {
	shutdown := operation.Shutdown{Timeout: as.ShutdownTimeout.ValueString(), OnTimeout: as.OnShutdownTimeout.ValueString()}
	return operation.On(operation.ServiceOf(data), m.address(data.Fleet.Directory), m.PowerOn.ValueBool(), m.AutorebootOn.ValueBool(), shutdown)
}

// title names the machine in messages, by its ID if its name is unknown.
func (m *common) title() string {
	if m.Name.ValueString() == "" && m.ID.ValueString() != "" {
		return "virtual machine " + m.ID.ValueString()
	}
	return "virtual machine " + strconv.Quote(m.Name.ValueString())
}

// differs reports whether the wanted value is known and differs from the current one.
func differs(before, wanted attr.Value) bool {
	return tfkit.Given(wanted) && !wanted.Equal(before)
}
