// SPDX-License-Identifier: MPL-2.0

package backup

import (
	"context"

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
	id := func(description string, id tfkit.Text) schema.StringAttribute {
		return schema.StringAttribute{
			MarkdownDescription: description, Required: true, Validators: []validator.String{id},
		}
	}
	return &tfkit.DataSource[backupsModel]{
		Name: "_backups", What: "list the backups of a disc", Find: find,
		Description: "Lists the backups of a disc, by a schedule or by hand. Each can be restored to this disc only.",
		Attributes: map[string]schema.Attribute{
			"virtual_machine_id": id("ID of the machine that the disc is on.", tfkit.MachineID),
			"disc_id":            id("ID of the disc, such as `cloudserver_vm.web.disc_ids[\"vda\"]`.", tfkit.DiscID),
			"backups": schema.ListNestedAttribute{
				MarkdownDescription: "The backups, in the service's order.",
				Computed:            true,
				NestedObject: schema.NestedAttributeObject{Attributes: map[string]schema.Attribute{
					"id":            text("Numeric ID of the backup."),
					"label":         text("Label of the backup."),
					"size":          schema.Int64Attribute{MarkdownDescription: "Size in megabytes.", Computed: true},
					"storage_grade": text("Storage grade: `iceberg` once the backup is stored."),
					"stored":        schema.BoolAttribute{MarkdownDescription: "Whether the backup is stored, and can be restored.", Computed: true},
					"manual": schema.BoolAttribute{
						MarkdownDescription: "Whether it was taken by hand, or null.", Computed: true,
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

func find(ctx context.Context, d *tfkit.ProviderData, m *backupsModel, diags *diag.Diagnostics) {
	if refuseMachineID(m.VirtualMachineID, m.DiscID, diags); diags.HasError() {
		return
	}
	var backups []cloudserver.Backup
	at, err := locate(ctx, d, tfkit.IDOf(m.VirtualMachineID))
	if err == nil {
		backups, err = d.Client.Backups(ctx, at.Ref(), tfkit.IDOf(m.DiscID))
	}
	if cloudserver.IsNotFound(err) {
		err = m.explainMissing(ctx, d.Client, err)
	}
	if err != nil {
		addError(diags, "Cannot list the backups of disc "+m.DiscID.ValueString(), err)
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

// explainMissing returns an *elsewhereError if the disc is on another machine, otherwise the denial.
func (m backupsModel) explainMissing(ctx context.Context, client *cloudserver.Client, denial error) error {
	disc, err := client.Disc(ctx, tfkit.IDOf(m.DiscID))
	if err != nil {
		return denial
	}
	if err := checkPlace(disc, m.VirtualMachineID); err != nil {
		return err
	}
	return denial
}
