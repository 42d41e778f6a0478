package provider

import (
	"context"
	"sync"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/provider"
	"github.com/hashicorp/terraform-plugin-framework/resource"
	"github.com/hashicorp/terraform-plugin-go/tfprotov6"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/fastplan"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/tfkit"
)

// observing passes each state that Terraform sends to this process to its resource. The framework has no hook for
// states of the current schema version.
type observing struct {
	wholeServer
	provider  provider.Provider
	resources *resources
}

func newObserving(server wholeServer, p provider.Provider) observing {
	return observing{server, p, &resources{}}
}

// resources are a provider's resources, created on first use.
type resources struct {
	once   sync.Once
	byType map[string]resource.Resource
}

func (r *resources) get(ctx context.Context, p provider.Provider) map[string]resource.Resource {
	r.once.Do(func() { r.byType = fastplan.Resources(ctx, p) })
	return r.byType
}

// UpgradeResourceState implements tfprotov6.ResourceServer.
func (s observing) UpgradeResourceState(
	ctx context.Context, req *tfprotov6.UpgradeResourceStateRequest,
) (*tfprotov6.UpgradeResourceStateResponse, error) {
	resp, err := s.wholeServer.UpgradeResourceState(ctx, req)
	if err != nil || req.RawState == nil {
		return resp, err
	}
	data := dataOf(s.provider)
	observer, ok := s.resources.get(ctx, s.provider)[req.TypeName].(tfkit.StateObserver)
	if !ok || !data.Ready() {
		return resp, nil
	}
	var diags diag.Diagnostics
	observer.ObserveState(data, req.RawState.JSON, &diags)
	for _, d := range diags {
		severity := tfprotov6.DiagnosticSeverityWarning
		if d.Severity() == diag.SeverityError {
			severity = tfprotov6.DiagnosticSeverityError
		}
		resp.Diagnostics = append(resp.Diagnostics,
			&tfprotov6.Diagnostic{Severity: severity, Summary: d.Summary(), Detail: d.Detail()})
	}
	return resp, nil
}

// dataOf returns the configured provider's data, or nil if it is not configured.
func dataOf(p provider.Provider) *tfkit.ProviderData {
	if own, ok := p.(interface{ Data() *tfkit.ProviderData }); ok {
		return own.Data()
	}
	return nil
}
