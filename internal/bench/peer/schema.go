package main

import (
	"context"

	"github.com/hashicorp/terraform-plugin-framework/resource"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/booldefault"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/int64planmodifier"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/planmodifier"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/stringplanmodifier"
	"github.com/hashicorp/terraform-plugin-framework/types"
)

// Schema implements resource.Resource.
func (s *server) Schema(_ context.Context, _ resource.SchemaRequest, resp *resource.SchemaResponse) {
	keptText := []planmodifier.String{stringplanmodifier.UseStateForUnknown()}
	optional := schema.StringAttribute{Optional: true}
	computed := schema.StringAttribute{Computed: true, PlanModifiers: keptText}
	chosen := schema.StringAttribute{Optional: true, Computed: true, PlanModifiers: keptText}
	off := schema.BoolAttribute{Optional: true, Computed: true, Default: booldefault.StaticBool(false)}
	resp.Schema = schema.Schema{
		Attributes: map[string]schema.Attribute{
			"id":               computed,
			"name":             schema.StringAttribute{Required: true},
			"plan":             schema.StringAttribute{Required: true},
			"image":            optional,
			"region":           chosen,
			"datacentre":       chosen,
			"user_data":        optional,
			"ssh_keys":         schema.ListAttribute{Optional: true, ElementType: types.StringType},
			"labels":           schema.MapAttribute{Optional: true, ElementType: types.StringType},
			"keep_disk":        off,
			"iso":              optional,
			"rescue":           optional,
			"backups":          off,
			"backup_window":    optional,
			"ipv4_address":     computed,
			"ipv6_address":     computed,
			"ipv6_network":     computed,
			"status":           computed,
			"firewall_ids":     schema.SetAttribute{Optional: true, ElementType: types.Int64Type},
			"keep_firewalls":   off,
			"placement":        schema.Int64Attribute{Optional: true},
			"delete_lock":      off,
			"rebuild_lock":     off,
			"allow_old_images": off,
			"shutdown_first":   off,
			"disk_size":        schema.Int64Attribute{Computed: true, PlanModifiers: []planmodifier.Int64{int64planmodifier.UseStateForUnknown()}},
			"private_ip":       computed,
			"mac_address":      computed,
			"reverse_dns":      optional,
		},
		Blocks: map[string]schema.Block{
			"network": schema.SetNestedBlock{NestedObject: schema.NestedBlockObject{Attributes: map[string]schema.Attribute{
				"network_id": schema.Int64Attribute{Required: true},
				"ip":         schema.StringAttribute{Optional: true},
			}}},
		},
	}
}

// model is the resource in Go.
type model struct {
	ID             types.String `tfsdk:"id"`
	Name           types.String `tfsdk:"name"`
	Plan           types.String `tfsdk:"plan"`
	Image          types.String `tfsdk:"image"`
	Region         types.String `tfsdk:"region"`
	Datacentre     types.String `tfsdk:"datacentre"`
	UserData       types.String `tfsdk:"user_data"`
	SSHKeys        types.List   `tfsdk:"ssh_keys"`
	Labels         types.Map    `tfsdk:"labels"`
	KeepDisk       types.Bool   `tfsdk:"keep_disk"`
	ISO            types.String `tfsdk:"iso"`
	Rescue         types.String `tfsdk:"rescue"`
	Backups        types.Bool   `tfsdk:"backups"`
	BackupWindow   types.String `tfsdk:"backup_window"`
	IPv4Address    types.String `tfsdk:"ipv4_address"`
	IPv6Address    types.String `tfsdk:"ipv6_address"`
	IPv6Network    types.String `tfsdk:"ipv6_network"`
	Status         types.String `tfsdk:"status"`
	FirewallIDs    types.Set    `tfsdk:"firewall_ids"`
	KeepFirewalls  types.Bool   `tfsdk:"keep_firewalls"`
	Placement      types.Int64  `tfsdk:"placement"`
	DeleteLock     types.Bool   `tfsdk:"delete_lock"`
	RebuildLock    types.Bool   `tfsdk:"rebuild_lock"`
	AllowOldImages types.Bool   `tfsdk:"allow_old_images"`
	ShutdownFirst  types.Bool   `tfsdk:"shutdown_first"`
	DiskSize       types.Int64  `tfsdk:"disk_size"`
	PrivateIP      types.String `tfsdk:"private_ip"`
	MACAddress     types.String `tfsdk:"mac_address"`
	ReverseDNS     types.String `tfsdk:"reverse_dns"`
	Network        types.Set    `tfsdk:"network"`
}

// fill sets the computed values to what the service reported.
func (m *model) fill(r *remote) {
	m.Status = types.StringValue(r.Status)
	m.Datacentre = types.StringValue(r.Datacentre.Name)
	m.IPv4Address = types.StringValue(r.IPv4Address)
	m.IPv6Address = types.StringValue(r.IPv6Address)
	m.IPv6Network = types.StringValue(r.IPv6Network)
	m.DiskSize = types.Int64Value(r.PrimaryDiskSize)
	m.PrivateIP, m.MACAddress = types.StringNull(), types.StringNull()
	if len(r.Network) > 0 {
		m.PrivateIP = types.StringValue(r.Network[0].IP)
		m.MACAddress = types.StringValue(r.Network[0].MACAddress)
	}
}
