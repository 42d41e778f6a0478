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

// observing shows the resources each state that Terraform passes to this process. The
// framework has no hook for states of its present version.
type observing struct {
	wholeServer
	provider  provider.Provider
	resources *resources
}

func newObserving(server wholeServer, p provider.Provider) observing {
	return observing{server, p, &resources{}}
}

// resources are those of a provider, made on first use.
type resources struct {
	once  sync.Once
	known map[string]resource.Resource
}

func (r *resources) of(ctx context.Context, p provider.Provider) map[string]resource.Resource {
	r.once.Do(func() { r.known = fastplan.Resources(ctx, p) })
	return r.known
}

// UpgradeResourceState implements tfprotov6.ResourceServer.
func (s observing) UpgradeResourceState(ctx context.Context, req *tfprotov6.UpgradeResourceStateRequest) (*tfprotov6.UpgradeResourceStateResponse, error) {
	resp, err := s.wholeServer.UpgradeResourceState(ctx, req)
	if err != nil || req.RawState == nil {
		return resp, err
	}
	data := dataOf(s.provider)
	observer, ok := s.resources.of(ctx, s.provider)[req.TypeName].(tfkit.StateObserver)
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
		resp.Diagnostics = append(resp.Diagnostics, &tfprotov6.Diagnostic{Severity: severity, Summary: d.Summary(), Detail: d.Detail()})
	}
	return resp, nil
}

// dataOf returns what the provider was configured with, nil before.
func dataOf(p provider.Provider) *tfkit.ProviderData {
	if own, ok := p.(interface{ Data() *tfkit.ProviderData }); ok {
		return own.Data()
	}
	return nil
}
