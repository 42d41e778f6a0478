// SPDX-License-Identifier: MPL-2.0

// Package tfkit connects Terraform's plugin framework with the rest of the provider. It knows no particular resource:
// it passes on the configured provider, turns the client's errors into diagnostics at the attribute to blame, checks
// plans against the service's definitions, and has what resources, data sources and lists have in common.
package tfkit

import (
	"context"

	"github.com/hashicorp/terraform-plugin-framework/attr"
	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/resource"
	"github.com/hashicorp/terraform-plugin-framework/resource/identityschema"
	"github.com/hashicorp/terraform-plugin-framework/tfsdk"
)

// Resource has what all resources have in common. They embed it.
type Resource struct {
	Name     string            // appended to the provider's name: "_group"
	Identity map[string]string // the attributes of its identity, with their descriptions
	Data     *ProviderData
}

// Metadata implements resource.Resource.
func (r *Resource) Metadata(_ context.Context, req resource.MetadataRequest, resp *resource.MetadataResponse) {
	resp.TypeName = req.ProviderTypeName + r.Name
}

// Configure implements resource.ResourceWithConfigure.
func (r *Resource) Configure(_ context.Context, req resource.ConfigureRequest, resp *resource.ConfigureResponse) {
	r.Data = Configured(req.ProviderData, &resp.Diagnostics)
}

// IdentitySchema implements resource.ResourceWithIdentity. An identity has only attributes that never change.
func (r *Resource) IdentitySchema(
	_ context.Context, _ resource.IdentitySchemaRequest, resp *resource.IdentitySchemaResponse,
) {
	resp.IdentitySchema.Attributes = map[string]identityschema.Attribute{}
	for name, description := range r.Identity {
		resp.IdentitySchema.Attributes[name] = identityschema.StringAttribute{
			Description: description, RequiredForImport: true,
		}
	}
}

// ResourceIdentity holds the attributes of a resource identity.
type ResourceIdentity map[string]attr.Value

// Save writes the identity. The framework requires it from every create, read and update, even for a CLI that does not
// support identities, and before a resource is removed from the state.
func (i ResourceIdentity) Save(ctx context.Context, identity *tfsdk.ResourceIdentity, diags *diag.Diagnostics) {
	if identity == nil {
		return
	}
	for name, value := range i {
		diags.Append(identity.SetAttribute(ctx, path.Root(name), value)...)
	}
}

// ArgumentChooser is implemented by resources for which not every value of the state belongs in a configuration that
// Terraform generates.
type ArgumentChooser interface {
	// ChooseArguments returns the paths of the arguments to write, such as disc.size, including the paths of blocks.
	// Values that are null in the state are not written.
	ChooseArguments(ctx context.Context, state tfsdk.State) []string
}
