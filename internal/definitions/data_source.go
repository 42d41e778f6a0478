// Package definitions provides what the service offers (API.md §6): as the data
// source cloudserver_definitions, and as the catalogue that plans are checked
// against.
package definitions

import (
	"context"

	"github.com/hashicorp/terraform-plugin-framework/datasource"
	"github.com/hashicorp/terraform-plugin-framework/datasource/schema"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/cloudserver"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/tfkit"
)

var _ datasource.DataSourceWithConfigure = (*dataSource)(nil)

type dataSource struct {
	data *tfkit.ProviderData
}

// NewDataSource returns the data source cloudserver_definitions.
func NewDataSource() datasource.DataSource {
	return &dataSource{}
}

func (d *dataSource) Metadata(_ context.Context, req datasource.MetadataRequest, resp *datasource.MetadataResponse) {
	resp.TypeName = req.ProviderTypeName + "_definitions"
}

func (d *dataSource) Configure(_ context.Context, req datasource.ConfigureRequest, resp *datasource.ConfigureResponse) {
	tfkit.Configure(req.ProviderData, &d.data, &resp.Diagnostics)
}

func (d *dataSource) Schema(_ context.Context, _ datasource.SchemaRequest, resp *datasource.SchemaResponse) {
	resp.Schema = schema.Schema{
		MarkdownDescription: "Lists what the service offers: distributions, storage grades, hardware profiles, zones, keymaps and sendkeys. " +
			"It works without credentials; with credentials the service may list more zones. Lists are in the service's order; a set that the service does not publish is empty.",
		Attributes: map[string]schema.Attribute{
			"distributions":              list("Operating systems that can be installed: the values of `distribution` in the block `reimage` of a `cloudserver_vm`."),
			"storage_grades":             list("Storage grades of discs."),
			"hardware_profiles":          list("Hardware profiles of virtual machines. The service may accept others that it does not list."),
			"zone_names":                 list("Zones of this cluster. With credentials there may be more of them."),
			"keymaps":                    list("Keyboard mappings: the values of `keymap` of a `cloudserver_vm`."),
			"sendkeys":                   list("Keys that can be sent to a machine, alone or combined with dashes, as in `ctrl-alt-delete`."),
			"distribution_descriptions":  texts("Descriptions by distribution."),
			"storage_grade_descriptions": texts("Descriptions by storage grade."),
			"json": schema.StringAttribute{
				MarkdownDescription: "The whole answer of the service, unchanged, for `jsondecode`. It also has what this provider does not know.",
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
	JSON                     string            `tfsdk:"json"`
}

func (d *dataSource) Read(ctx context.Context, _ datasource.ReadRequest, resp *datasource.ReadResponse) {
	if anonymous := d.data != nil && d.data.Catalogue != nil; !anonymous && !d.data.RequireReady("read the service's definitions", &resp.Diagnostics) {
		return
	}
	definitions, err := d.data.Catalogue(ctx)
	if err != nil {
		tfkit.AddError(&resp.Diagnostics, "Cannot read the service's definitions", err, nil, advice(err))
		return
	}
	resp.Diagnostics.Append(resp.State.Set(ctx, model{
		Distributions:            definitions.Distributions,
		StorageGrades:            definitions.StorageGrades,
		HardwareProfiles:         definitions.HardwareProfiles,
		ZoneNames:                definitions.ZoneNames,
		Keymaps:                  definitions.Keymaps,
		Sendkeys:                 definitions.Sendkeys,
		DistributionDescriptions: definitions.DistributionDescriptions,
		StorageGradeDescriptions: definitions.StorageGradeDescriptions,
		JSON:                     definitions.JSON,
	})...)
}

// advice returns what to do next. A 404 means that something else answers.
func advice(err error) string {
	if cloudserver.IsNotFound(err) {
		return "Check that endpoint in the provider block, or CLOUDSERVER_ENDPOINT in the environment, is the base address of the service's HTTP API."
	}
	return "Run the same command again."
}
