package vm

import (
	"strconv"

	"github.com/hashicorp/terraform-plugin-framework-timeouts/resource/timeouts"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/cloudserver"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/fleet"
)

// model is the resource as configuration, plan and state hold it.
type model struct {
	ID      types.String `tfsdk:"id"`
	Account types.String `tfsdk:"account"`
	Group   types.String `tfsdk:"group"`
	GroupID types.Int64  `tfsdk:"group_id"`
	Name    types.String `tfsdk:"name"`

	Cores                    types.Int64  `tfsdk:"cores"`
	Memory                   types.Int64  `tfsdk:"memory"`
	HardwareProfile          types.String `tfsdk:"hardware_profile"`
	EffectiveHardwareProfile types.String `tfsdk:"effective_hardware_profile"`
	HardwareProfileLocked    types.Bool   `tfsdk:"hardware_profile_locked"`
	AutorebootOn             types.Bool   `tfsdk:"autoreboot_on"`
	PowerOn                  types.Bool   `tfsdk:"power_on"`
	Keymap                   types.String `tfsdk:"keymap"`
	CDROMURL                 types.String `tfsdk:"cdrom_url"`
	ZoneName                 types.String `tfsdk:"zone_name"`
	LastImagedWith           types.String `tfsdk:"last_imaged_with"`

	Hostname          types.String `tfsdk:"hostname"`
	ManagementAddress types.String `tfsdk:"management_address"`
	Head              types.String `tfsdk:"head"`
	IPv4Address       types.String `tfsdk:"ipv4_address"`
	IPv6Address       types.String `tfsdk:"ipv6_address"`
	NetworkInterfaces types.List   `tfsdk:"network_interfaces"`

	AllowStoppingForUpdate types.Bool   `tfsdk:"allow_stopping_for_update"`
	ShutdownTimeout        types.String `tfsdk:"shutdown_timeout"`
	DeletionProtection     types.Bool   `tfsdk:"deletion_protection"`
	PurgeOnDestroy         types.Bool   `tfsdk:"purge_on_destroy"`

	Disc     types.List     `tfsdk:"disc"`
	Reimage  types.Object   `tfsdk:"reimage"`
	IPs      types.Object   `tfsdk:"ips"`
	Timeouts timeouts.Value `tfsdk:"timeouts"`
}

// numericID is the machine's id at the service, or 0 when there is none yet.
func (m model) numericID() int64 {
	id, err := strconv.ParseInt(m.ID.ValueString(), 10, 64)
	if err != nil {
		return 0
	}
	return id
}

// ref addresses the machine in calls. The group's id is preferred: it stays
// right when somebody renames the group.
func (m model) ref() cloudserver.Ref {
	return cloudserver.Ref{Account: m.Account.ValueString(), Group: m.groupKey(), ID: m.numericID()}
}

// machine addresses the machine in shared reads and waits.
func (m model) machine() fleet.Machine {
	return fleet.Machine{Account: m.Account.ValueString(), Group: m.Group.ValueString(), ID: m.numericID()}
}

func (m model) groupKey() string {
	if id := m.GroupID.ValueInt64(); id != 0 {
		return strconv.FormatInt(id, 10)
	}
	return m.Group.ValueString()
}

// title names the machine in messages, by its id while an import has not told
// its name yet.
func (m model) title() string {
	if m.Name.ValueString() == "" && m.ID.ValueString() != "" {
		return "virtual machine " + m.ID.ValueString()
	}
	return "virtual machine " + strconv.Quote(m.Name.ValueString())
}

// place names the machine and where it is, for messages.
func (m model) place() string {
	return m.title() + " in group " + strconv.Quote(m.Group.ValueString()) + " of account " + strconv.Quote(m.Account.ValueString())
}
