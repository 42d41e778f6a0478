package provider

import (
	"context"
	"sync/atomic"
	"time"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
)

// forgetting is the framework's server for the calls that Terraform makes for each resource. The framework keeps the
// context of each call until the provider is stopped. A context refers to the loggers and the connection of its call:
// for a thousand machines these are 50 megabytes, which the collector visits again and again. So the framework gets a
// context that refers to the call's only until the call ends.
type forgetting struct{ Server }

// callContext is the context of a call, and afterwards an empty one.
type callContext struct {
	of atomic.Pointer[context.Context]
}

func (c *callContext) Deadline() (time.Time, bool) { return (*c.of.Load()).Deadline() }
func (c *callContext) Done() <-chan struct{}       { return (*c.of.Load()).Done() }
func (c *callContext) Err() error                  { return (*c.of.Load()).Err() }
func (c *callContext) Value(key any) any           { return (*c.of.Load()).Value(key) }

// during makes a call with a context that forgets it.
func during[Request, Response any](
	ctx context.Context, req Request, call func(context.Context, Request) (Response, error),
) (Response, error) {
	var c callContext
	c.of.Store(&ctx)
	defer func() {
		ended := context.Background()
		c.of.Store(&ended)
	}()
	return call(&c, req)
}

// ValidateResourceConfig implements tfprotov6.ResourceServer.
func (s forgetting) ValidateResourceConfig(
	ctx context.Context, req *tfprotov6.ValidateResourceConfigRequest,
) (*tfprotov6.ValidateResourceConfigResponse, error) {
	return during(ctx, req, s.Server.ValidateResourceConfig)
}

// UpgradeResourceState implements tfprotov6.ResourceServer.
func (s forgetting) UpgradeResourceState(
	ctx context.Context, req *tfprotov6.UpgradeResourceStateRequest,
) (*tfprotov6.UpgradeResourceStateResponse, error) {
	return during(ctx, req, s.Server.UpgradeResourceState)
}

// ReadResource implements tfprotov6.ResourceServer.
func (s forgetting) ReadResource(
	ctx context.Context, req *tfprotov6.ReadResourceRequest,
) (*tfprotov6.ReadResourceResponse, error) {
	return during(ctx, req, s.Server.ReadResource)
}

// PlanResourceChange implements tfprotov6.ResourceServer.
func (s forgetting) PlanResourceChange(
	ctx context.Context, req *tfprotov6.PlanResourceChangeRequest,
) (*tfprotov6.PlanResourceChangeResponse, error) {
	return during(ctx, req, s.Server.PlanResourceChange)
}

// ApplyResourceChange implements tfprotov6.ResourceServer.
func (s forgetting) ApplyResourceChange(
	ctx context.Context, req *tfprotov6.ApplyResourceChangeRequest,
) (*tfprotov6.ApplyResourceChangeResponse, error) {
	return during(ctx, req, s.Server.ApplyResourceChange)
}
