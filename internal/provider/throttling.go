package provider

import (
	"context"

	"github.com/hashicorp/terraform-plugin-framework/provider"
	"github.com/hashicorp/terraform-plugin-go/tfprotov6"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/tfkit"
)

// throttled adds a warning to the next answer after the service has held up all requests for long. Otherwise a run
// would be slow, or time out, without an explanation.
type throttled struct {
	Server
	provider provider.Provider
}

// warn adds the warning, once in a run.
func (s throttled) warn(diags *[]*tfprotov6.Diagnostic) {
	data := dataOf(s.provider)
	if !data.Ready() {
		return
	}
	answered, ok := data.Client.TakeThrottling()
	if !ok {
		return
	}
	*diags = append(*diags, &tfprotov6.Diagnostic{
		Severity: tfprotov6.DiagnosticSeverityWarning,
		Summary:  "The service asks to wait",
		Detail: tfkit.Sentence(answered) + " All requests of this run wait for as long as it asks, so it takes longer, " +
			"and operations fail whose timeouts end meanwhile. " +
			"If this goes on, run the same command again later, or ask the service's operator for the limit on requests.",
	})
}

// ReadResource implements tfprotov6.ResourceServer.
func (s throttled) ReadResource(
	ctx context.Context, req *tfprotov6.ReadResourceRequest,
) (*tfprotov6.ReadResourceResponse, error) {
	resp, err := s.Server.ReadResource(ctx, req)
	if err == nil {
		s.warn(&resp.Diagnostics)
	}
	return resp, err
}

// PlanResourceChange implements tfprotov6.ResourceServer.
func (s throttled) PlanResourceChange(
	ctx context.Context, req *tfprotov6.PlanResourceChangeRequest,
) (*tfprotov6.PlanResourceChangeResponse, error) {
	resp, err := s.Server.PlanResourceChange(ctx, req)
	if err == nil {
		s.warn(&resp.Diagnostics)
	}
	return resp, err
}

// ApplyResourceChange implements tfprotov6.ResourceServer.
func (s throttled) ApplyResourceChange(
	ctx context.Context, req *tfprotov6.ApplyResourceChangeRequest,
) (*tfprotov6.ApplyResourceChangeResponse, error) {
	resp, err := s.Server.ApplyResourceChange(ctx, req)
	if err == nil {
		s.warn(&resp.Diagnostics)
	}
	return resp, err
}

// ImportResourceState implements tfprotov6.ResourceServer.
func (s throttled) ImportResourceState(
	ctx context.Context, req *tfprotov6.ImportResourceStateRequest,
) (*tfprotov6.ImportResourceStateResponse, error) {
	resp, err := s.Server.ImportResourceState(ctx, req)
	if err == nil {
		s.warn(&resp.Diagnostics)
	}
	return resp, err
}

// ReadDataSource implements tfprotov6.DataSourceServer.
func (s throttled) ReadDataSource(
	ctx context.Context, req *tfprotov6.ReadDataSourceRequest,
) (*tfprotov6.ReadDataSourceResponse, error) {
	resp, err := s.Server.ReadDataSource(ctx, req)
	if err == nil {
		s.warn(&resp.Diagnostics)
	}
	return resp, err
}
