package backup

import (
	"context"
	"errors"

	"github.com/hashicorp/terraform-plugin-framework/datasource"
	"github.com/hashicorp/terraform-plugin-framework/datasource/schema"
	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/schema/validator"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/cloudserver"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/tfkit"
)

// NewDataSource returns the data source cloudserver_backups.
func NewDataSource() datasource.DataSource {
	text := func(description string) schema.StringAttribute {
		return schema.StringAttribute{MarkdownDescription: description, Computed: true}
	}
	id := func(description string) schema.StringAttribute {
		return schema.StringAttribute{
			MarkdownDescription: description, Required: true, Validators: []validator.String{tfkit.NumericID("")},
		}
	}
	return &tfkit.DataSource[backupsModel, provider]{
		Name: "_backups", What: "list the backups of a disc", Uses: uses, Find: find,
		Description: "Lists the backups of a disc, those that a schedule has taken and those that were taken by hand.",
		Attributes: map[string]schema.Attribute{
			"virtual_machine_id": id("ID of the machine that the disc is on: `id` of a `cloudserver_vm`."),
			"disc_id":            id("ID of the disc, such as `cloudserver_vm.web.disc[0].id`."),
			"backups": schema.ListNestedAttribute{
				MarkdownDescription: "The backups, in the service's order.",
				Computed:            true,
				NestedObject: schema.NestedAttributeObject{Attributes: map[string]schema.Attribute{
					"id":            text("Numeric ID of the backup."),
					"label":         text("Label of the backup."),
					"size":          schema.Int64Attribute{CustomType: tfkit.Int64Type{}, MarkdownDescription: "Size in megabytes.", Computed: true},
					"storage_grade": text("Storage grade: `iceberg` once the backup is stored."),
					"stored":        schema.BoolAttribute{MarkdownDescription: "Whether the backup is stored, and can be restored.", Computed: true},
					"manual": schema.BoolAttribute{
						MarkdownDescription: "Whether it was taken by hand and not by a schedule, or null if the service does not report it.", Computed: true,
					},
				}},
			},
		},
	}
}

type backupsModel struct {
	VirtualMachineID types.String  `tfsdk:"virtual_machine_id"`
	DiscID           types.String  `tfsdk:"disc_id"`
	Backups          []backupModel `tfsdk:"backups"`
}

type backupModel struct {
	ID           types.String `tfsdk:"id"`
	Label        types.String `tfsdk:"label"`
	Size         types.Int64  `tfsdk:"size"`
	StorageGrade types.String `tfsdk:"storage_grade"`
	Stored       types.Bool   `tfsdk:"stored"`
	Manual       types.Bool   `tfsdk:"manual"`
}

func find(ctx context.Context, p provider, m *backupsModel, diags *diag.Diagnostics) {
	var backups []cloudserver.Backup
	machine, disc := tfkit.IDOf(m.VirtualMachineID), tfkit.IDOf(m.DiscID)
	var ref cloudserver.Ref
	at, err := locate(ctx, p, machine, nil)
	if err == nil {
		ref, _, err = refTo(ctx, p, at, disc)
	}
	if err == nil {
		backups, err = p.Client.Backups(ctx, ref, disc)
	}
	if _, isDisc := errors.AsType[*blamed](err); isDisc || cloudserver.IsNotFound(err) {
		_, why := discOn(ctx, p.Client, machine, disc)
		if elsewhere, ok := errors.AsType[*blamed](why); ok {
			err = elsewhere
		}
	}
	if err != nil {
		if summary := "Cannot list the backups of disc " + m.DiscID.ValueString(); !addTargetError(diags, summary, err) {
			tfkit.AddError(diags, summary, err, nil, "")
		}
		return
	}
	m.Backups = make([]backupModel, len(backups))
	for i, b := range backups {
		m.Backups[i] = backupModel{
			ID: types.StringValue(cloudserver.IDText(b.ID)), Label: types.StringValue(b.Label), Size: types.Int64Value(b.Size),
			StorageGrade: types.StringValue(b.StorageGrade), Stored: types.BoolValue(b.StorageGrade == cloudserver.ColdStorage),
			Manual: types.BoolPointerValue(b.Manual),
		}
	}
}
