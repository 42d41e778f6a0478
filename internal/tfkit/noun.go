package tfkit

import (
	"context"

	"github.com/hashicorp/terraform-plugin-framework/datasource"
	"github.com/hashicorp/terraform-plugin-framework/datasource/schema"
	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/resource"
	"github.com/hashicorp/terraform-plugin-framework/resource/identityschema"
)

// Resource has what all resources have in common. They embed it. P is what a resource uses of the provider.
type Resource[P any] struct {
	Name     string                // appended to the provider's name: "_group"
	Identity map[string]string     // the attributes of its identity, with their descriptions
	Uses     func(*ProviderData) P // takes it from the provider's data
	Data     P
}

// Metadata implements resource.Resource.
func (r *Resource[P]) Metadata(_ context.Context, req resource.MetadataRequest, resp *resource.MetadataResponse) {
	resp.TypeName = req.ProviderTypeName + r.Name
}

// Configure implements resource.ResourceWithConfigure.
func (r *Resource[P]) Configure(_ context.Context, req resource.ConfigureRequest, resp *resource.ConfigureResponse) {
	r.Data = r.Uses(Configured(req.ProviderData, &resp.Diagnostics))
}

// IdentitySchema implements resource.ResourceWithIdentity. An identity has only attributes that never change.
func (r *Resource[P]) IdentitySchema(
	_ context.Context, _ resource.IdentitySchemaRequest, resp *resource.IdentitySchemaResponse,
) {
	resp.IdentitySchema.Attributes = map[string]identityschema.Attribute{}
	for name, description := range r.Identity {
		resp.IdentitySchema.Attributes[name] = identityschema.StringAttribute{
			Description: description, RequiredForImport: true,
		}
	}
}

var (
	_ datasource.DataSourceWithConfigure        = (*DataSource[any, *ProviderData])(nil)
	_ datasource.DataSourceWithConfigValidators = (*DataSource[any, *ProviderData])(nil)
)

// DataSource is a data source. M is the model of its configuration and its results, and P what it uses of the provider.
type DataSource[M, P any] struct {
	Name        string // appended to the provider's name: "_group"
	Description string
	Attributes  map[string]schema.Attribute
	Validators  []datasource.ConfigValidator
	Uses        func(*ProviderData) P // takes it from the provider's data
	// What completes the message "Cannot …" for a provider whose configuration is not known yet. "": Find does not need
	// a configured client.
	What string
	// Find completes the model with the service's answers.
	Find func(ctx context.Context, provider P, m *M, diags *diag.Diagnostics)

	data *ProviderData
}

// Metadata implements datasource.DataSource.
func (d *DataSource[M, P]) Metadata(_ context.Context, req datasource.MetadataRequest, resp *datasource.MetadataResponse) {
	resp.TypeName = req.ProviderTypeName + d.Name
}

// Configure implements datasource.DataSourceWithConfigure.
func (d *DataSource[M, P]) Configure(
	_ context.Context, req datasource.ConfigureRequest, resp *datasource.ConfigureResponse,
) {
	d.data = Configured(req.ProviderData, &resp.Diagnostics)
}

// Schema implements datasource.DataSource.
func (d *DataSource[M, P]) Schema(_ context.Context, _ datasource.SchemaRequest, resp *datasource.SchemaResponse) {
	resp.Schema = schema.Schema{MarkdownDescription: d.Description, Attributes: d.Attributes}
}

// ConfigValidators implements datasource.DataSourceWithConfigValidators.
func (d *DataSource[M, P]) ConfigValidators(context.Context) []datasource.ConfigValidator {
	return d.Validators
}

// Read calls Find, unless the client is needed and not configured yet.
func (d *DataSource[M, P]) Read(ctx context.Context, req datasource.ReadRequest, resp *datasource.ReadResponse) {
	var m M
	resp.Diagnostics.Append(req.Config.Get(ctx, &m)...)
	if resp.Diagnostics.HasError() || d.What != "" && !d.data.RequireReady(d.What, &resp.Diagnostics) {
		return
	}
	if d.Find(ctx, d.Uses(d.data), &m, &resp.Diagnostics); !resp.Diagnostics.HasError() {
		resp.Diagnostics.Append(resp.State.Set(ctx, m)...)
	}
}
