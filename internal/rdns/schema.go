package rdns

import (
	"context"

	"github.com/hashicorp/terraform-plugin-framework-validators/stringvalidator"
	"github.com/hashicorp/terraform-plugin-framework/resource"
	"github.com/hashicorp/terraform-plugin-framework/resource/identityschema"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/planmodifier"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/stringplanmodifier"
	"github.com/hashicorp/terraform-plugin-framework/schema/validator"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/tfkit"
)

func (r *rdnsResource) Schema(_ context.Context, _ resource.SchemaRequest, resp *resource.SchemaResponse) {
	resp.Schema = schema.Schema{
		MarkdownDescription: "The reverse DNS name of an IP address. Destroying it gives the address the service's own name back.",
		Attributes: map[string]schema.Attribute{
			"address": schema.StringAttribute{
				CustomType:          tfkit.IPAddressType{Version: tfkit.AnyIP},
				MarkdownDescription: "IPv4 or IPv6 address, such as `cloudserver_vm.web.ipv4_address`. Another address replaces the resource; another spelling of the same one does not.",
				Required:            true,
				PlanModifiers: []planmodifier.String{stringplanmodifier.RequiresReplaceIf(
					isOtherAddress, "another address", "another address")},
			},
			"hostname": schema.StringAttribute{
				MarkdownDescription: "Fully qualified name that the address resolves to. Upper and lower case, and a dot at the end, make no difference.",
				Required:            true,
				Validators:          []validator.String{stringvalidator.LengthBetween(1, 254)},
			},
		},
	}
}

func isOtherAddress(_ context.Context, req planmodifier.StringRequest, resp *stringplanmodifier.RequiresReplaceIfFuncResponse) {
	resp.RequiresReplace = !tfkit.SameAddress(req.StateValue.ValueString(), req.PlanValue.ValueString())
}

// IdentitySchema holds only what never changes: the address, in its one
// canonical spelling.
func (r *rdnsResource) IdentitySchema(_ context.Context, _ resource.IdentitySchemaRequest, resp *resource.IdentitySchemaResponse) {
	resp.IdentitySchema = identityschema.Schema{
		Attributes: map[string]identityschema.Attribute{
			"address": identityschema.StringAttribute{
				Description:       "IPv4 or IPv6 address.",
				RequiredForImport: true,
			},
		},
	}
}
