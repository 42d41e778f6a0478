// SPDX-License-Identifier: MPL-2.0

package vm

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"

	"github.com/hashicorp/terraform-plugin-framework-validators/datasourcevalidator"
	"github.com/hashicorp/terraform-plugin-framework/datasource"
	"github.com/hashicorp/terraform-plugin-framework/datasource/schema"
	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"
	resourceschema "github.com/hashicorp/terraform-plugin-framework/resource/schema"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/cloudserver"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/tfkit"
)

// vmDataSourceModel is one machine and the arguments that select it.
type vmDataSourceModel struct {
	reportedMachine
	IncludeDeleted types.Bool `tfsdk:"include_deleted"`
}

// NewDataSource returns the data source cloudserver_vm.
func NewDataSource() datasource.DataSource {
	attributes := reportedAttributes()
	maps.Copy(attributes, map[string]schema.Attribute{
		"id":      tfkit.LookedUpByID("ID of the machine. Set this or `name`."),
		"name":    tfkit.LookedUpBy("Name of the machine in its group."),
		"account": tfkit.LookedUpBy("Name of the account; only with `name`. Default: the provider's `account`."),
		"group": tfkit.LookedUpBy("Name of the group; only with `name`. Default: the provider's `group`, " +
			"or else `default`."),
		"include_deleted": schema.BoolAttribute{
			MarkdownDescription: "Whether a soft-deleted machine may be found. Default: `false`.",
			Optional:            true,
		},
	})
	return &tfkit.DataSource[vmDataSourceModel]{
		Name: "_vm", What: "find a virtual machine", Find: findMachine, Attributes: attributes,
		Description: "Provides information about a virtual machine, by its ID or by account, group and name.",
		Validators: []datasource.ConfigValidator{
			datasourcevalidator.ExactlyOneOf(path.MatchRoot("id"), path.MatchRoot("name")),
			datasourcevalidator.Conflicting(path.MatchRoot("id"), path.MatchRoot("account")),
			datasourcevalidator.Conflicting(path.MatchRoot("id"), path.MatchRoot("group")),
		},
	}
}

// findMachine reads one machine, including soft-deleted ones, whose names no other machine has.
func findMachine(ctx context.Context, data *tfkit.ProviderData, m *vmDataSourceModel, diags *diag.Diagnostics) {
	find, at := findMachineByName, path.Root("name")
	if !m.ID.IsNull() {
		find, at = findMachineByID, path.Root("id")
	}
	vm, where := find(ctx, data, m, diags)
	switch {
	case diags.HasError():
	case vm.Deleted && !m.IncludeDeleted.ValueBool():
		diags.AddAttributeError(at, fmt.Sprintf("Cannot find virtual machine %q", cloudserver.Shown(vm.Name)),
			"The machine is soft-deleted. Set include_deleted = true to find it anyway.")
	default:
		m.reportedMachine = reportMachine(where, vm)
	}
}

// place is where a machine is: names, and the ID of the account. They are null if they are unknown.
type place struct{ account, accountID, group types.String }

// whileCreated is the advice after a failed look-up.
const whileCreated = "A machine that is still being created can be found a moment later. " +
	"Refer to a machine that this configuration creates directly."

// findMachineByID takes the location of the machine from the inventory.
func findMachineByID(
	ctx context.Context, data *tfkit.ProviderData, m *vmDataSourceModel, diags *diag.Diagnostics,
) (*cloudserver.VirtualMachine, place) {
	summary := "Cannot find virtual machine " + m.ID.ValueString()
	vm, err := data.Client.VirtualMachine(ctx, tfkit.IDOf(m.ID), cloudserver.IncludeDeleted)
	switch {
	case cloudserver.IsNotFound(err):
		diags.AddAttributeError(path.Root("id"), summary, "No machine with this ID is visible to these credentials.")
		return nil, place{}
	case err != nil:
		tfkit.AddError(diags, summary, err, nil, whileCreated)
		return nil, place{}
	}
	_, group, err := tfkit.Locate(ctx, data.Inventory, vm)
	switch {
	case err != nil && !errors.Is(err, tfkit.ErrNoAccount):
		tfkit.AddError(diags, "Cannot find the group of virtual machine "+m.ID.ValueString(), err, nil, "")
	case group != nil:
		account, name := types.StringValue(group.Account), types.StringValue(group.Name)
		return vm, place{account, tfkit.IDOrNull(group.AccountID), name}
	}
	return vm, place{}
}

func findMachineByName(
	ctx context.Context, data *tfkit.ProviderData, m *vmDataSourceModel, diags *diag.Diagnostics,
) (*cloudserver.VirtualMachine, place) {
	m.Group = data.KnownGroupOr(m.Group, "the virtual machine", diags)
	m.Account = data.KnownAccountOr(m.Account, "the virtual machine", diags)
	if diags.HasError() {
		return nil, place{}
	}
	account, groupName, name := m.Account.ValueString(), m.Group.ValueString(), m.Name.ValueString()
	summary := fmt.Sprintf("Cannot find virtual machine %q in group %q of account %q", name, groupName, account)
	vm, group, err := findByName(ctx, data, account, groupName, name)
	if missing, ok := errors.AsType[*tfkit.AttributeError](err); ok {
		diags.AddAttributeError(missing.At, summary, missing.Detail+" If this configuration creates it, refer to its resource instead.")
		return nil, place{}
	}
	if err != nil {
		tfkit.AddError(diags, summary, err, nil, whileCreated)
		return nil, place{}
	}
	return vm, place{m.Account, tfkit.IDOrNull(group.AccountID), m.Group}
}

// reportedMachine is a machine in a data source: everything that the service reports, and nothing that only a resource
// has.
type reportedMachine struct {
	common

	AccountID         types.String        `tfsdk:"account_id"`
	Head              types.String        `tfsdk:"head"`
	Deleted           types.Bool          `tfsdk:"deleted"`
	NetworkInterfaces []reportedInterface `tfsdk:"network_interfaces"`
	Discs             []reportedDisc      `tfsdk:"discs"`
}

// reportedInterface is a network interface (API.md §3).
type reportedInterface struct {
	Label    types.String      `tfsdk:"label"`
	MAC      types.String      `tfsdk:"mac"`
	VLANNum  types.Int64       `tfsdk:"vlan_num"`
	IPs      []string          `tfsdk:"ips"`
	ExtraIPs map[string]string `tfsdk:"extra_ips"`
}

// reportedDisc is a disc with its real label and grade (API.md §4).
type reportedDisc struct {
	ID                types.String       `tfsdk:"id"`
	Label             types.String       `tfsdk:"label"`
	Size              types.Int64        `tfsdk:"size"` // megabytes
	StorageGrade      types.String       `tfsdk:"storage_grade"`
	StoragePool       types.String       `tfsdk:"storage_pool"`
	NewStorageGrade   types.String       `tfsdk:"new_storage_grade"`
	NewStoragePool    types.String       `tfsdk:"new_storage_pool"`
	MigrationProgress types.Int64        `tfsdk:"migration_progress"`
	BackupCount       types.Int64        `tfsdk:"backup_count"`
	BackupsEnabled    types.Bool         `tfsdk:"backups_enabled"`
	BackupSchedules   []reportedSchedule `tfsdk:"backup_schedules"`
}

// reportedSchedule is a backup schedule of a disc.
type reportedSchedule struct {
	ID              types.String `tfsdk:"id"`
	StartAt         types.String `tfsdk:"start_at"`
	IntervalSeconds types.Int64  `tfsdk:"interval_seconds"`
	Capacity        types.Int64  `tfsdk:"capacity"`
}

// reportMachine converts a machine with the resource's own conversion. network_interfaces is null if the service
// reports none.
func reportMachine(at place, vm *cloudserver.VirtualMachine) reportedMachine {
	m := reportedMachine{
		common:    common{Account: at.account, Group: at.group}.refreshed(vm),
		AccountID: at.accountID,
		Head:      types.StringPointerValue((*string)(vm.Head)),
		Deleted:   types.BoolValue(vm.Deleted),
		Discs:     mapped(vm.Discs, reportDisc),
	}
	if vm.NetworkInterfaces != nil {
		m.NetworkInterfaces = mapped(vm.NetworkInterfaces, reportInterface)
	}
	return m
}

func reportInterface(n cloudserver.NetworkInterface) reportedInterface {
	reported := reportedInterface{
		Label:    types.StringPointerValue(n.Label),
		MAC:      types.StringPointerValue(n.MAC),
		VLANNum:  types.Int64PointerValue(n.VLANNum),
		IPs:      append([]string{}, n.IPs...), // empty, not null
		ExtraIPs: map[string]string{},
	}
	maps.Copy(reported.ExtraIPs, n.ExtraIPs)
	return reported
}

func reportDisc(d cloudserver.Disc) reportedDisc {
	return reportedDisc{
		ID:                tfkit.IDOrNull(d.ID),
		Label:             tfkit.StringOrNull(d.Label),
		Size:              types.Int64Value(d.Size),
		StorageGrade:      tfkit.StringOrNull(d.StorageGrade),
		StoragePool:       tfkit.StringOrNull(d.StoragePool),
		NewStorageGrade:   tfkit.StringOrNull(d.NewStorageGrade),
		NewStoragePool:    tfkit.StringOrNull(d.NewStoragePool),
		MigrationProgress: types.Int64PointerValue(d.MigrationProgress),
		BackupCount:       types.Int64PointerValue(d.BackupCount),
		BackupsEnabled:    types.BoolPointerValue(d.BackupsEnabled),
		BackupSchedules: mapped(d.BackupSchedules, func(s cloudserver.BackupSchedule) reportedSchedule {
			return reportedSchedule{
				ID: tfkit.IDOrNull(s.ID), StartAt: tfkit.StringOrNull(cloudserver.ShownStart(s.StartAt)),
				IntervalSeconds: types.Int64Value(s.IntervalSeconds), Capacity: types.Int64PointerValue(s.Capacity),
			}
		}),
	}
}

// reportedAttributes are the attributes of reportedMachine: those that the resource has as well, and others that the
// service reports.
func reportedAttributes() map[string]schema.Attribute {
	reported := map[string]schema.Attribute{
		"account_id":         text("ID of the account."),
		"deleted":            boolean("Whether the machine is soft-deleted."),
		"head":               text("Head that the machine runs on, or null."),
		"network_interfaces": nested("Network interfaces.", networkAttributes()),
		"discs":              nested("Discs, in the service's order.", discAttributes()),
	}
	ofResource := attributes()
	for _, field := range reflect.VisibleFields(reflect.TypeFor[common]()) {
		name := field.Tag.Get("tfsdk")
		what := firstClause(ofResource[name].GetMarkdownDescription())
		switch ofResource[name].(type) {
		case resourceschema.StringAttribute:
			reported[name] = text(what)
		case resourceschema.Int64Attribute:
			reported[name] = number(what)
		case resourceschema.BoolAttribute:
			reported[name] = boolean(what)
		}
	}
	return reported
}

// firstClause returns the first clause of a description, which leaves out how the resource treats the attribute.
func firstClause(description string) string {
	if end := strings.IndexAny(description, ".,;:"); end >= 0 {
		description = description[:end]
	}
	return description + "."
}

func networkAttributes() map[string]schema.Attribute {
	return map[string]schema.Attribute{
		"label":    text("Label, or null."),
		"mac":      text("MAC address."),
		"vlan_num": number("Number of the VLAN."),
		"ips": schema.ListAttribute{
			MarkdownDescription: "IPv4 and IPv6 addresses.", ElementType: types.StringType, Computed: true,
		},
		"extra_ips": schema.MapAttribute{
			MarkdownDescription: "Extra addresses, each with the address that it is routed to.",
			ElementType:         types.StringType, Computed: true,
		},
	}
}

func discAttributes() map[string]schema.Attribute {
	return map[string]schema.Attribute{
		"id":                 text("ID of the disc."),
		"label":              text("Device label."),
		"size":               number("Size in megabytes."),
		"storage_grade":      text("Storage grade. `iceberg` while the disc is restored."),
		"storage_pool":       text("Pool that the disc is placed in."),
		"new_storage_grade":  text("Grade that the disc is migrated or restored to, or null."),
		"new_storage_pool":   text("Pool that the disc is migrated or restored to, or null."),
		"migration_progress": number("Progress of a migration or restore, or null."),
		"backup_count":       number("Number of backups, or null."),
		"backups_enabled":    boolean("Whether backups are enabled, or null."),
		"backup_schedules":   nested("Backup schedules.", scheduleAttributes()),
	}
}

func scheduleAttributes() map[string]schema.Attribute {
	return map[string]schema.Attribute{
		"id":               text("ID of the schedule."),
		"start_at":         text("Time of the first backup, in the form of RFC 3339."),
		"interval_seconds": number("Seconds between two backups."),
		"capacity":         number("How many backups are kept, or null."),
	}
}

func text(description string) schema.Attribute {
	return schema.StringAttribute{MarkdownDescription: description, Computed: true}
}

func number(description string) schema.Attribute {
	return schema.Int64Attribute{MarkdownDescription: description, Computed: true}
}

func boolean(description string) schema.Attribute {
	return schema.BoolAttribute{MarkdownDescription: description, Computed: true}
}

func nested(description string, attributes map[string]schema.Attribute) schema.Attribute {
	return schema.ListNestedAttribute{
		MarkdownDescription: description, Computed: true,
		NestedObject: schema.NestedAttributeObject{Attributes: attributes},
	}
}

// vmsDataSourceModel has the machines of an account, or of one of its groups.
type vmsDataSourceModel struct {
	tfkit.Filter
	IncludeDeleted  types.Bool        `tfsdk:"include_deleted"`
	VirtualMachines []reportedMachine `tfsdk:"virtual_machines"`
}

// NewVMsDataSource returns the data source cloudserver_vms.
func NewVMsDataSource() datasource.DataSource {
	attributes := tfkit.FilterArguments()
	maps.Copy(attributes, map[string]schema.Attribute{
		"include_deleted": schema.BoolAttribute{
			MarkdownDescription: "Whether to list soft-deleted machines as well. Default: `false`.", Optional: true,
		},
		"virtual_machines": nested("The machines.", reportedAttributes()),
	})
	return &tfkit.DataSource[vmsDataSourceModel]{
		Name: "_vms", What: "list virtual machines", Find: findMachines, Attributes: attributes,
		Description: "Provides the virtual machines that match all filters, sorted by name. " +
			"A machine that is still being created may be missing.",
	}
}

func findMachines(ctx context.Context, data *tfkit.ProviderData, m *vmsDataSourceModel, diags *diag.Diagnostics) {
	machines := m.Find(ctx, data, m.IncludeDeleted.ValueBool(), diags)
	slices.SortFunc(machines, func(a, b tfkit.FoundMachine) int {
		return cmp.Or(cmp.Compare(a.Name, b.Name), cmp.Compare(a.ID, b.ID))
	})
	m.VirtualMachines = mapped(machines, func(found tfkit.FoundMachine) reportedMachine {
		at := place{m.Account, tfkit.IDOrNull(found.AccountID), types.StringValue(found.Group)}
		return reportMachine(at, &found.VirtualMachine)
	})
}
