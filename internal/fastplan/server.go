// Package fastplan bypasses the plugin framework for speed; no other package does. It answers plans in which nothing
// changes, as most plans over many machines are, and calls the framework without its loggers if nothing is logged.
// BENCHMARKS.md shows how much that saves. It knows no resource: a resource itself reports whether such a plan has
// anything to do. [Switch] turns both off, to measure them or to rule this package out as the cause of a problem.
package fastplan

import (
	"context"
	"fmt"
	"os"

	"github.com/hashicorp/terraform-plugin-framework/provider"
	"github.com/hashicorp/terraform-plugin-framework/providerserver"
	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
)

// Switch is the environment variable that turns this package off when its value is "off". When it is "check", the
// framework makes each plan as well, and an answer that is not the same is an error, as in all tests.
const Switch = "CLOUDSERVER_FASTPLAN"

// Server is everything that the framework's server offers. Without the embedded interfaces Terraform would see no list
// resources and no actions.
type Server interface {
	tfprotov6.ProviderServerWithListResource //nolint:staticcheck // until ProviderServer has its methods
	tfprotov6.ProviderServerWithActions      //nolint:staticcheck // until ProviderServer has its methods
}

// server is the framework's server, except for the calls that a run makes for each resource, and the first one.
type server struct {
	Server
	contexts *contexts
	quiet    bool
}

// NewServer returns the server of a provider, and what is to be asked before it for plans. quiet means that nothing is
// logged. It fails if the framework's server does not offer everything.
func NewServer(p provider.Provider, quiet bool) (Server, *Unchanged, error) {
	framework := providerserver.NewProtocol6(p)()
	whole, ok := framework.(Server)
	if !ok {
		return nil, nil, fmt.Errorf("the plugin framework's server (%T) offers no list resources, or no actions", framework)
	}
	unchanged := &Unchanged{provider: p}
	mode := os.Getenv(Switch)
	if mode == "off" {
		unchanged.off = true
		return whole, unchanged, nil
	}
	s := server{whole, &contexts{stop: stopOf(whole)}, quiet}
	if mode == "check" {
		unchanged.check = s.PlanResourceChange
	}
	return s, unchanged, nil
}

// stopOf returns a function that stops the framework's server, which cannot fail.
func stopOf(whole Server) func(context.Context) {
	return func(ctx context.Context) { _, _ = whole.StopProvider(ctx, &tfprotov6.StopProviderRequest{}) }
}

// GetProviderSchema implements tfprotov6.ProviderServer.
func (s server) GetProviderSchema(
	ctx context.Context, req *tfprotov6.GetProviderSchemaRequest,
) (*tfprotov6.GetProviderSchemaResponse, error) {
	return call(ctx, s, req, s.Server.GetProviderSchema)
}

// ValidateResourceConfig implements tfprotov6.ResourceServer.
func (s server) ValidateResourceConfig(
	ctx context.Context, req *tfprotov6.ValidateResourceConfigRequest,
) (*tfprotov6.ValidateResourceConfigResponse, error) {
	return call(ctx, s, req, s.Server.ValidateResourceConfig)
}

// UpgradeResourceState implements tfprotov6.ResourceServer.
func (s server) UpgradeResourceState(
	ctx context.Context, req *tfprotov6.UpgradeResourceStateRequest,
) (*tfprotov6.UpgradeResourceStateResponse, error) {
	return call(ctx, s, req, s.Server.UpgradeResourceState)
}

// ReadResource implements tfprotov6.ResourceServer.
func (s server) ReadResource(
	ctx context.Context, req *tfprotov6.ReadResourceRequest,
) (*tfprotov6.ReadResourceResponse, error) {
	return call(ctx, s, req, s.Server.ReadResource)
}

// PlanResourceChange implements tfprotov6.ResourceServer.
func (s server) PlanResourceChange(
	ctx context.Context, req *tfprotov6.PlanResourceChangeRequest,
) (*tfprotov6.PlanResourceChangeResponse, error) {
	return call(ctx, s, req, s.Server.PlanResourceChange)
}

// ApplyResourceChange implements tfprotov6.ResourceServer.
func (s server) ApplyResourceChange(
	ctx context.Context, req *tfprotov6.ApplyResourceChangeRequest,
) (*tfprotov6.ApplyResourceChangeResponse, error) {
	return call(ctx, s, req, s.Server.ApplyResourceChange)
}

// call calls the framework. If nothing is logged, the framework gets a context without values: otherwise it would
// prepare every log line and copy its loggers at each step. The framework keeps the context until all are released;
// with values that is some 15 kB.
func call[Request, Response any](
	ctx context.Context, s server, req Request, framework func(context.Context, Request) (Response, error),
) (Response, error) {
	s.contexts.begin()
	defer s.contexts.end(ctx)
	if s.quiet {
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
