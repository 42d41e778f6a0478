// SPDX-License-Identifier: MPL-2.0

package tfkit

import (
	"context"

	"github.com/hashicorp/terraform-plugin-framework/datasource"
	"github.com/hashicorp/terraform-plugin-framework/datasource/schema"
	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/schema/validator"
)

var (
	_ datasource.DataSourceWithConfigure        = (*DataSource[any])(nil)
	_ datasource.DataSourceWithConfigValidators = (*DataSource[any])(nil)
)

// DataSource is a data source. M is the model of its configuration and its results.
type DataSource[M any] struct {
	Name        string // appended to the provider's name: "_group"
	Description string
	Attributes  map[string]schema.Attribute
	Validators  []datasource.ConfigValidator
	// What completes the message "Cannot …" for a provider whose configuration is not known yet.
	What string
	// Find completes the model with the service's answers.
	Find func(ctx context.Context, provider *ProviderData, m *M, diags *diag.Diagnostics)

	data *ProviderData
}

// Metadata implements datasource.DataSource.
func (d *DataSource[M]) Metadata(_ context.Context, req datasource.MetadataRequest, resp *datasource.MetadataResponse) {
	resp.TypeName = req.ProviderTypeName + d.Name
}

// Configure implements datasource.DataSourceWithConfigure.
func (d *DataSource[M]) Configure(
	_ context.Context, req datasource.ConfigureRequest, resp *datasource.ConfigureResponse,
) {
	d.data = Configured(req.ProviderData, &resp.Diagnostics)
}

// Schema implements datasource.DataSource.
func (d *DataSource[M]) Schema(_ context.Context, _ datasource.SchemaRequest, resp *datasource.SchemaResponse) {
	resp.Schema = schema.Schema{MarkdownDescription: d.Description, Attributes: d.Attributes}
}

// ConfigValidators implements datasource.DataSourceWithConfigValidators.
func (d *DataSource[M]) ConfigValidators(context.Context) []datasource.ConfigValidator {
	return d.Validators
}

// Read calls Find, unless the provider's configuration is not known yet.
func (d *DataSource[M]) Read(ctx context.Context, req datasource.ReadRequest, resp *datasource.ReadResponse) {
	var m M
	resp.Diagnostics.Append(req.Config.Get(ctx, &m)...)
	if resp.Diagnostics.HasError() || !d.data.RequireReady(d.What, &resp.Diagnostics) {
		return
	}
	if d.Find(ctx, d.data, &m, &resp.Diagnostics); !resp.Diagnostics.HasError() {
		resp.Diagnostics.Append(resp.State.Set(ctx, m)...)
	}
}

// LookedUpBy returns an argument by which a data source finds its object. It is computed if another argument is
// configured.
func LookedUpBy(description string) schema.StringAttribute {
	return schema.StringAttribute{
		MarkdownDescription: description, Optional: true, Computed: true, Validators: []validator.String{PathName},
	}
}

// LookedUpByID is LookedUpBy for the numeric ID of an object, which can also be found by its name.
func LookedUpByID(description string) schema.StringAttribute {
	attribute := LookedUpBy(description)
	attribute.Validators = []validator.String{NumericID}
	return attribute
}
