// SPDX-License-Identifier: MPL-2.0

// Package definitions provides the service's definitions (API.md §6): as the data source cloudserver_definitions, and
// as the catalogue that plans are checked against.
package definitions

import (
	"context"

	"github.com/hashicorp/terraform-plugin-framework/datasource"
	"github.com/hashicorp/terraform-plugin-framework/datasource/schema"
	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/cloudserver"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/tfkit"
)

// NewDataSource returns the data source cloudserver_definitions.
func NewDataSource() datasource.DataSource {
	return &tfkit.DataSource[model]{
		Name: "_definitions", What: "read the service's definitions", Find: find,
		Description: "Lists what the service offers. A list that the service does not publish is empty.",
		Attributes: map[string]schema.Attribute{
			"distributions":              list("Operating systems: the values of `reimage.distribution` of a `cloudserver_vm`."),
			"storage_grades":             list("Storage grades of discs."),
			"hardware_profiles":          list("Hardware profiles. The service may accept others."),
			"zone_names":                 list("Zones. With credentials, the service may list more."),
			"keymaps":                    list("Keyboard mappings."),
			"sendkeys":                   list("Keys that can be sent to a machine, alone or combined with dashes, as in `ctrl-alt-delete`."),
			"distribution_descriptions":  texts("Descriptions by distribution."),
			"storage_grade_descriptions": texts("Descriptions by storage grade."),
			"json": schema.StringAttribute{
				MarkdownDescription: "The whole answer of the service, for `jsondecode`.",
				Computed:            true,
			},
		},
	}
}

func list(description string) schema.ListAttribute {
	return schema.ListAttribute{MarkdownDescription: description, ElementType: types.StringType, Computed: true}
}

func texts(description string) schema.MapAttribute {
	return schema.MapAttribute{MarkdownDescription: description, ElementType: types.StringType, Computed: true}
}

type model struct {
	Distributions            []string          `tfsdk:"distributions"`
	StorageGrades            []string          `tfsdk:"storage_grades"`
	HardwareProfiles         []string          `tfsdk:"hardware_profiles"`
	ZoneNames                []string          `tfsdk:"zone_names"`
	Keymaps                  []string          `tfsdk:"keymaps"`
	Sendkeys                 []string          `tfsdk:"sendkeys"`
	DistributionDescriptions map[string]string `tfsdk:"distribution_descriptions"`
	StorageGradeDescriptions map[string]string `tfsdk:"storage_grade_descriptions"`
	JSON                     types.String      `tfsdk:"json"`
}

func find(ctx context.Context, p *tfkit.ProviderData, m *model, diags *diag.Diagnostics) {
	definitions, err := p.Inventory.Definitions(ctx)
	if err != nil {
		advice := ""
		if cloudserver.IsNotFound(err) {
			advice = "Check that endpoint is the base URL of the service's HTTP API."
		}
		tfkit.AddError(diags, "Cannot read the service's definitions", err, nil, advice)
		return
	}
	*m = model{
		Distributions:            definitions.Names[cloudserver.Distributions],
		StorageGrades:            definitions.Names[cloudserver.StorageGrades],
		HardwareProfiles:         definitions.Names[cloudserver.HardwareProfiles],
		ZoneNames:                definitions.Names[cloudserver.ZoneNames],
		Keymaps:                  definitions.Names[cloudserver.Keymaps],
		Sendkeys:                 definitions.Names[cloudserver.Sendkeys],
		DistributionDescriptions: definitions.Descriptions[cloudserver.Distributions],
		StorageGradeDescriptions: definitions.Descriptions[cloudserver.StorageGrades],
		JSON:                     types.StringValue(definitions.JSON),
	}
}
