package fastplan

import (
	"context"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
)

// The other calls go to the framework as they are. They are here so that none is under way when contexts are released.

// during calls the framework.
func during[Request, Response any](
	ctx context.Context, s server, req Request, framework func(context.Context, Request) (Response, error),
) (Response, error) {
	s.contexts.begin()
	defer s.contexts.end(ctx)
	return framework(ctx, req)
}

// GetMetadata implements tfprotov6.ProviderServer.
func (s server) GetMetadata(
	ctx context.Context, req *tfprotov6.GetMetadataRequest,
) (*tfprotov6.GetMetadataResponse, error) {
	return during(ctx, s, req, s.Server.GetMetadata)
}

// GetResourceIdentitySchemas implements tfprotov6.ProviderServer.
func (s server) GetResourceIdentitySchemas(
	ctx context.Context, req *tfprotov6.GetResourceIdentitySchemasRequest,
) (*tfprotov6.GetResourceIdentitySchemasResponse, error) {
	return during(ctx, s, req, s.Server.GetResourceIdentitySchemas)
}

// ValidateProviderConfig implements tfprotov6.ProviderServer.
func (s server) ValidateProviderConfig(
	ctx context.Context, req *tfprotov6.ValidateProviderConfigRequest,
) (*tfprotov6.ValidateProviderConfigResponse, error) {
	return during(ctx, s, req, s.Server.ValidateProviderConfig)
}

// ConfigureProvider implements tfprotov6.ProviderServer.
func (s server) ConfigureProvider(
	ctx context.Context, req *tfprotov6.ConfigureProviderRequest,
) (*tfprotov6.ConfigureProviderResponse, error) {
	return during(ctx, s, req, s.Server.ConfigureProvider)
}

// ImportResourceState implements tfprotov6.ResourceServer.
func (s server) ImportResourceState(
	ctx context.Context, req *tfprotov6.ImportResourceStateRequest,
) (*tfprotov6.ImportResourceStateResponse, error) {
	return during(ctx, s, req, s.Server.ImportResourceState)
}

// MoveResourceState implements tfprotov6.ResourceServer.
func (s server) MoveResourceState(
	ctx context.Context, req *tfprotov6.MoveResourceStateRequest,
) (*tfprotov6.MoveResourceStateResponse, error) {
	return during(ctx, s, req, s.Server.MoveResourceState)
}

// UpgradeResourceIdentity implements tfprotov6.ResourceServer.
func (s server) UpgradeResourceIdentity(
	ctx context.Context, req *tfprotov6.UpgradeResourceIdentityRequest,
) (*tfprotov6.UpgradeResourceIdentityResponse, error) {
	return during(ctx, s, req, s.Server.UpgradeResourceIdentity)
}

// GenerateResourceConfig implements tfprotov6.ResourceServer.
func (s server) GenerateResourceConfig(
	ctx context.Context, req *tfprotov6.GenerateResourceConfigRequest,
) (*tfprotov6.GenerateResourceConfigResponse, error) {
	return during(ctx, s, req, s.Server.GenerateResourceConfig)
}

// ValidateDataResourceConfig implements tfprotov6.DataSourceServer.
func (s server) ValidateDataResourceConfig(
	ctx context.Context, req *tfprotov6.ValidateDataResourceConfigRequest,
) (*tfprotov6.ValidateDataResourceConfigResponse, error) {
	return during(ctx, s, req, s.Server.ValidateDataResourceConfig)
}

// ReadDataSource implements tfprotov6.DataSourceServer.
func (s server) ReadDataSource(
	ctx context.Context, req *tfprotov6.ReadDataSourceRequest,
) (*tfprotov6.ReadDataSourceResponse, error) {
	return during(ctx, s, req, s.Server.ReadDataSource)
}

// CallFunction implements tfprotov6.FunctionServer.
func (s server) CallFunction(
	ctx context.Context, req *tfprotov6.CallFunctionRequest,
) (*tfprotov6.CallFunctionResponse, error) {
	return during(ctx, s, req, s.Server.CallFunction)
}

// GetFunctions implements tfprotov6.FunctionServer.
func (s server) GetFunctions(
	ctx context.Context, req *tfprotov6.GetFunctionsRequest,
) (*tfprotov6.GetFunctionsResponse, error) {
	return during(ctx, s, req, s.Server.GetFunctions)
}

// ValidateEphemeralResourceConfig implements tfprotov6.EphemeralResourceServer.
func (s server) ValidateEphemeralResourceConfig(
	ctx context.Context, req *tfprotov6.ValidateEphemeralResourceConfigRequest,
) (*tfprotov6.ValidateEphemeralResourceConfigResponse, error) {
	return during(ctx, s, req, s.Server.ValidateEphemeralResourceConfig)
}

// OpenEphemeralResource implements tfprotov6.EphemeralResourceServer.
func (s server) OpenEphemeralResource(
	ctx context.Context, req *tfprotov6.OpenEphemeralResourceRequest,
) (*tfprotov6.OpenEphemeralResourceResponse, error) {
	return during(ctx, s, req, s.Server.OpenEphemeralResource)
}

// RenewEphemeralResource implements tfprotov6.EphemeralResourceServer.
func (s server) RenewEphemeralResource(
	ctx context.Context, req *tfprotov6.RenewEphemeralResourceRequest,
) (*tfprotov6.RenewEphemeralResourceResponse, error) {
	return during(ctx, s, req, s.Server.RenewEphemeralResource)
}

// CloseEphemeralResource implements tfprotov6.EphemeralResourceServer.
func (s server) CloseEphemeralResource(
	ctx context.Context, req *tfprotov6.CloseEphemeralResourceRequest,
) (*tfprotov6.CloseEphemeralResourceResponse, error) {
	return during(ctx, s, req, s.Server.CloseEphemeralResource)
}

// ValidateActionConfig implements tfprotov6.ActionServer.
func (s server) ValidateActionConfig(
	ctx context.Context, req *tfprotov6.ValidateActionConfigRequest,
) (*tfprotov6.ValidateActionConfigResponse, error) {
	return during(ctx, s, req, s.Server.ValidateActionConfig)
}

// PlanAction implements tfprotov6.ActionServer.
func (s server) PlanAction(
	ctx context.Context, req *tfprotov6.PlanActionRequest,
) (*tfprotov6.PlanActionResponse, error) {
	return during(ctx, s, req, s.Server.PlanAction)
}

// ValidateListResourceConfig implements tfprotov6.ListResourceServer.
func (s server) ValidateListResourceConfig(
	ctx context.Context, req *tfprotov6.ValidateListResourceConfigRequest,
) (*tfprotov6.ValidateListResourceConfigResponse, error) {
	return during(ctx, s, req, s.Server.ValidateListResourceConfig)
}
