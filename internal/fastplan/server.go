// Package fastplan is the one place that goes around the plugin framework for speed.
// It answers the plans in which nothing changes, which most plans over many machines
// are, and where nothing is logged it calls the framework without its loggers.
// BENCHMARKS.md has what that saves. [Switch] turns both off, to measure it and to
// find out whether this package is to blame for something.
package fastplan

import (
	"context"
	"os"

	"github.com/hashicorp/terraform-plugin-framework/provider"
	"github.com/hashicorp/terraform-plugin-framework/providerserver"
	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
)

// Switch is the variable of the environment that turns this package off, with the
// value "off".
const Switch = "CLOUDSERVER_FASTPLAN"

// framework is everything that the framework's server offers. Without the embedded
// interfaces Terraform would see no list resources and no actions.
type framework interface {
	tfprotov6.ProviderServerWithListResource //nolint:staticcheck // until ProviderServer has its methods
	tfprotov6.ProviderServerWithActions      //nolint:staticcheck // until ProviderServer has its methods
}

// server is the framework's, but for the first request and those that a run has many
// of.
type server struct {
	framework
	unchanged *unchangedPlans
	quiet     bool
}

// NewServer returns the server of a provider. With quiet, nothing is logged.
func NewServer(p provider.Provider, quiet bool) tfprotov6.ProviderServer {
	all := providerserver.NewProtocol6(p)()
	if whole, ok := all.(framework); ok && os.Getenv(Switch) != "off" {
		return server{whole, &unchangedPlans{provider: p}, quiet}
	}
	return all
}

// GetProviderSchema implements tfprotov6.ProviderServer.
func (s server) GetProviderSchema(ctx context.Context, req *tfprotov6.GetProviderSchemaRequest) (*tfprotov6.GetProviderSchemaResponse, error) {
	return call(ctx, s.quiet, req, s.framework.GetProviderSchema)
}

// ValidateResourceConfig implements tfprotov6.ResourceServer.
func (s server) ValidateResourceConfig(ctx context.Context, req *tfprotov6.ValidateResourceConfigRequest) (*tfprotov6.ValidateResourceConfigResponse, error) {
	return call(ctx, s.quiet, req, s.framework.ValidateResourceConfig)
}

// UpgradeResourceState implements tfprotov6.ResourceServer.
func (s server) UpgradeResourceState(ctx context.Context, req *tfprotov6.UpgradeResourceStateRequest) (*tfprotov6.UpgradeResourceStateResponse, error) {
	return call(ctx, s.quiet, req, s.framework.UpgradeResourceState)
}

// ReadResource implements tfprotov6.ResourceServer.
func (s server) ReadResource(ctx context.Context, req *tfprotov6.ReadResourceRequest) (*tfprotov6.ReadResourceResponse, error) {
	return call(ctx, s.quiet, req, s.framework.ReadResource)
}

// PlanResourceChange implements tfprotov6.ResourceServer.
func (s server) PlanResourceChange(ctx context.Context, req *tfprotov6.PlanResourceChangeRequest) (*tfprotov6.PlanResourceChangeResponse, error) {
	if answer := s.unchanged.plan(ctx, req); answer != nil {
		return answer, nil
	}
	return call(ctx, s.quiet, req, s.framework.PlanResourceChange)
}

// ApplyResourceChange implements tfprotov6.ResourceServer.
func (s server) ApplyResourceChange(ctx context.Context, req *tfprotov6.ApplyResourceChangeRequest) (*tfprotov6.ApplyResourceChangeResponse, error) {
	return call(ctx, s.quiet, req, s.framework.ApplyResourceChange)
}

// call calls the framework, which keeps the context until the process ends, with some
// 15 kB. Where nothing is logged it is one without values: the framework would still
// prepare every line, and copy its loggers at each step.
func call[Request, Response any](ctx context.Context, quiet bool, req Request, framework func(context.Context, Request) (Response, error)) (Response, error) {
	if quiet {
		bare, end := withoutValues(ctx)
		defer end()
		ctx = bare
	}
	return framework(ctx, req)
}

func withoutValues(ctx context.Context) (context.Context, context.CancelFunc) {
	bare, cancel := context.WithCancel(context.Background())
	stop := context.AfterFunc(ctx, cancel)
	return bare, func() { stop(); cancel() }
}
