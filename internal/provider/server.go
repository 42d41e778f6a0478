package provider

import (
	"context"
	"os"

	"github.com/hashicorp/terraform-plugin-framework/provider"
	"github.com/hashicorp/terraform-plugin-framework/providerserver"
	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/hashicorp/terraform-plugin-go/tfprotov6/tf6server"
)

// Serve serves the provider to the Terraform that started this process, or with
// debug to one whose environment says how to reach it. Address is the provider's name in
// the registry.
func Serve(factory func() provider.Provider, address string, debug bool) error {
	quiet := tune()
	var options []tf6server.ServeOpt
	if debug {
		options = append(options, tf6server.WithManagedDebug())
	}
	return tf6server.Serve(address, func() tfprotov6.ProviderServer {
		return newServer(factory(), shortcutsWithout(os.Getenv(withoutVariable)), quiet)
	}, options...)
}

// frameworkServer is everything that the framework's server offers. Without the
// embedded interfaces Terraform would see no list resources and no actions.
type frameworkServer interface {
	tfprotov6.ProviderServerWithListResource //nolint:staticcheck // until ProviderServer has its methods
	tfprotov6.ProviderServerWithActions      //nolint:staticcheck // until ProviderServer has its methods
}

// server is the framework's, but for the requests that a run has many of it gets a
// [callContext]: it keeps every context until the process ends, and with it some
// 15 kB a request, and a run over a thousand machines has five thousand requests.
// Plans in which nothing changes are answered without it.
type server struct {
	frameworkServer
	unchanged *unchangedPlans
	numbers   *numbers
	take      shortcuts
	quiet     bool // nothing is logged
}

// NewServer returns the server that Terraform talks to.
func NewServer(p provider.Provider) tfprotov6.ProviderServer {
	return newServer(p, shortcutsWithout(os.Getenv(withoutVariable)), false)
}

func newServer(p provider.Provider, take shortcuts, quiet bool) tfprotov6.ProviderServer {
	framework := providerserver.NewProtocol6(p)()
	if whole, ok := framework.(frameworkServer); ok {
		return server{whole, &unchangedPlans{provider: p}, &numbers{server: whole}, take, quiet}
	}
	return framework
}

// ValidateResourceConfig implements tfprotov6.ResourceServer.
func (s server) ValidateResourceConfig(ctx context.Context, req *tfprotov6.ValidateResourceConfigRequest) (*tfprotov6.ValidateResourceConfigResponse, error) {
	resp, err := withCallContext(ctx, s, req, s.frameworkServer.ValidateResourceConfig)
	if resp != nil {
		resp.Diagnostics = s.numbers.explain(ctx, req.Config, resp.Diagnostics, func(all *tfprotov6.GetProviderSchemaResponse) *tfprotov6.Schema {
			return all.ResourceSchemas[req.TypeName]
		})
	}
	return resp, err
}

// UpgradeResourceState implements tfprotov6.ResourceServer.
func (s server) UpgradeResourceState(ctx context.Context, req *tfprotov6.UpgradeResourceStateRequest) (*tfprotov6.UpgradeResourceStateResponse, error) {
	return withCallContext(ctx, s, req, s.frameworkServer.UpgradeResourceState)
}

// ReadResource implements tfprotov6.ResourceServer.
func (s server) ReadResource(ctx context.Context, req *tfprotov6.ReadResourceRequest) (*tfprotov6.ReadResourceResponse, error) {
	return withCallContext(ctx, s, req, s.frameworkServer.ReadResource)
}

// PlanResourceChange implements tfprotov6.ResourceServer.
func (s server) PlanResourceChange(ctx context.Context, req *tfprotov6.PlanResourceChangeRequest) (*tfprotov6.PlanResourceChangeResponse, error) {
	if s.take.plan {
		if answer := s.unchanged.plan(ctx, req); answer != nil {
			return answer, nil
		}
	}
	return withCallContext(ctx, s, req, s.frameworkServer.PlanResourceChange)
}

// ApplyResourceChange implements tfprotov6.ResourceServer.
func (s server) ApplyResourceChange(ctx context.Context, req *tfprotov6.ApplyResourceChangeRequest) (*tfprotov6.ApplyResourceChangeResponse, error) {
	return withCallContext(ctx, s, req, s.frameworkServer.ApplyResourceChange)
}

// withCallContext makes a call with a context that ends with it.
func withCallContext[Request, Answer any](ctx context.Context, s server, req Request, call func(context.Context, Request) (Answer, error)) (Answer, error) {
	if !s.take.contexts {
		return call(ctx, req)
	}
	ctx, release := newCallContext(ctx, s.quiet)
	defer release()
	return call(ctx, req)
}
