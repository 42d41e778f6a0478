// SPDX-License-Identifier: MPL-2.0

package provider

import (
	"context"
	"slices"
	"strings"

	"github.com/hashicorp/terraform-plugin-framework/provider"
	"github.com/hashicorp/terraform-plugin-framework/resource"
	"github.com/hashicorp/terraform-plugin-framework/tfsdk"
	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/hashicorp/terraform-plugin-go/tftypes"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/tfkit"
)

// generating answers the calls for -generate-config-out. The framework answers with the whole state, has no hook for
// anything else, and does not announce the capability.
type generating struct {
	Server
	provider provider.Provider
}

// GetProviderSchema implements tfprotov6.ProviderServer.
func (s generating) GetProviderSchema(
	ctx context.Context, req *tfprotov6.GetProviderSchemaRequest,
) (*tfprotov6.GetProviderSchemaResponse, error) {
	resp, err := s.Server.GetProviderSchema(ctx, req)
	if err == nil && resp.ServerCapabilities != nil {
		resp.ServerCapabilities.GenerateResourceConfig = true
	}
	return resp, err
}

// GenerateResourceConfig implements tfprotov6.ResourceServer. It reduces the framework's answer to the arguments that
// the resource chooses, and the account if that differs from the provider's.
func (s generating) GenerateResourceConfig(
	ctx context.Context, req *tfprotov6.GenerateResourceConfigRequest,
) (*tfprotov6.GenerateResourceConfigResponse, error) {
	resp, err := s.Server.GenerateResourceConfig(ctx, req)
	if err != nil || resp.Config == nil {
		return resp, err
	}
	r := s.resource(ctx, req.TypeName)
	if r == nil {
		return resp, nil
	}
	var shaped resource.SchemaResponse
	r.Schema(ctx, resource.SchemaRequest{}, &shaped)
	config, err := resp.Config.Unmarshal(shaped.Schema.Type().TerraformType(ctx))
	if err != nil {
		return nil, err
	}
	chooser, chooses := r.(tfkit.ArgumentChooser)
	var chosen []string
	if chooses {
		chosen = chooser.ChooseArguments(ctx, tfsdk.State{Raw: config, Schema: shaped.Schema})
	}
	config, err = tftypes.Transform(config, func(at *tftypes.AttributePath, value tftypes.Value) (tftypes.Value, error) {
		name := argumentName(at)
		isDefault := name == "account" && value.Equal(s.account())
		isLeftOut := chooses && name != "" && !slices.Contains(chosen, name)
		if isDefault || isLeftOut {
			return tftypes.NewValue(value.Type(), nil), nil
		}
		return value, nil
	})
	if err != nil {
		return nil, err
	}
	*resp.Config, err = tfprotov6.NewDynamicValue(config.Type(), config)
	return resp, err
}

// resource returns the resource of a type, or nil.
func (s generating) resource(ctx context.Context, typeName string) resource.Resource {
	var named provider.MetadataResponse
	s.provider.Metadata(ctx, provider.MetadataRequest{}, &named)
	for _, factory := range s.provider.Resources(ctx) {
		r := factory()
		var metadata resource.MetadataResponse
		r.Metadata(ctx, resource.MetadataRequest{ProviderTypeName: named.TypeName}, &metadata)
		if metadata.TypeName == typeName {
			return r
		}
	}
	return nil
}

// account returns the provider's account.
func (s generating) account() tftypes.Value {
	configured, ok := s.provider.(*cloudserverProvider)
	if !ok || configured.data == nil {
		return tftypes.NewValue(tftypes.String, nil)
	}
	return tftypes.NewValue(tftypes.String, configured.data.Account.ValueString())
}

// argumentName returns a path such as disc.size, without indexes.
func argumentName(at *tftypes.AttributePath) string {
	var names []string
	for _, step := range at.Steps() {
		if name, ok := step.(tftypes.AttributeName); ok {
			names = append(names, string(name))
		}
	}
	return strings.Join(names, ".")
}
