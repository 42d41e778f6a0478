package rdns

import (
	"context"

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
		MarkdownDescription: "Manages the reverse DNS name of an IP address. Destroying it restores the service's own name, unless somebody else has set another name since: that one stays, with a warning.",
		Attributes: map[string]schema.Attribute{
			"address": schema.StringAttribute{
				CustomType:          tfkit.IPAddressType{Version: tfkit.AnyIP},
				MarkdownDescription: "IPv4 or IPv6 address, such as `cloudserver_vm.web.ipv4_address`. Changing it replaces the resource; another spelling of the same address is no change.",
				Required:            true,
				PlanModifiers: []planmodifier.String{tfkit.KeepSpelling{Same: tfkit.SameAddress}, stringplanmodifier.RequiresReplaceIf(
					isOtherAddress, "another address", "another address")},
			},
			"hostname": schema.StringAttribute{
				MarkdownDescription: "Fully qualified name that the address resolves to. Case and a trailing dot are ignored. The plan of a new resource warns where somebody has set another name for the address of a machine that it reads.",
				Required:            true,
				Validators:          []validator.String{hostname{}},
				PlanModifiers:       []planmodifier.String{tfkit.KeepSpelling{Same: sameName}},
			},
		},
	}
}

func isOtherAddress(_ context.Context, req planmodifier.StringRequest, resp *stringplanmodifier.RequiresReplaceIfFuncResponse) {
	resp.RequiresReplace = !tfkit.SameAddress(req.StateValue.ValueString(), req.PlanValue.ValueString())
}

// IdentitySchema has only what never changes: the address in its canonical form.
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
