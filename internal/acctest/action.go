package acctest

import (
	"context"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
)

// Invoke validates, plans and invokes an action as Terraform does, and returns its progress messages. Each watcher is
// called with each message when it arrives.
func (d *Driver) Invoke(
	ctx context.Context, typeName string, config map[string]any, watchers ...func(string),
) (progress []string, diags []*tfprotov6.Diagnostic) {
	d.t.Helper()
	diags = d.PlanAction(ctx, typeName, config)
	if HasErrors(diags) {
		return nil, diags
	}
	progress, invoked := d.InvokePlanned(ctx, typeName, config, watchers...)
	return progress, append(diags, invoked...)
}

// InvokePlanned invokes an action that another process has planned, as an apply does.
func (d *Driver) InvokePlanned(
	ctx context.Context, typeName string, config map[string]any, watchers ...func(string),
) (progress []string, diags []*tfprotov6.Diagnostic) {
	d.t.Helper()
	server, value := d.actionServer(typeName, config)
	stream, err := server.InvokeAction(ctx, &tfprotov6.InvokeActionRequest{ActionType: typeName, Config: value})
	if err != nil {
		return nil, callFailed(err)
	}
	completed := false
	for event := range stream.Events {
		switch e := event.Type.(type) {
		case tfprotov6.ProgressInvokeActionEventType:
			progress = append(progress, e.Message)
			for _, watch := range watchers {
				watch(e.Message)
			}
		case tfprotov6.CompletedInvokeActionEventType:
			completed = true
			diags = append(diags, e.Diagnostics...)
		}
	}
	if !completed {
		d.broken("its invocation", typeName, []string{"it ended without a completed event"})
	}
	return progress, diags
}

// MustInvoke is Invoke, and fails the test on any error.
func (d *Driver) MustInvoke(ctx context.Context, typeName string, config map[string]any) []string {
	d.t.Helper()
	progress, diags := d.Invoke(ctx, typeName, config)
	d.must("invoke", typeName, diags)
	return progress
}

// PlanAction validates and plans an action. Values that are Unknown in the configuration are known when it is invoked.
func (d *Driver) PlanAction(ctx context.Context, typeName string, config map[string]any) []*tfprotov6.Diagnostic {
	d.t.Helper()
	server, value := d.actionServer(typeName, config)
	validated, err := server.ValidateActionConfig(
		ctx, &tfprotov6.ValidateActionConfigRequest{ActionType: typeName, Config: value},
	)
	if err != nil {
		return callFailed(err)
	}
	if HasErrors(validated.Diagnostics) {
		return validated.Diagnostics
	}
	planned, err := server.PlanAction(ctx, &tfprotov6.PlanActionRequest{ActionType: typeName, Config: value})
	if err != nil {
		return callFailed(err)
	}
	return append(validated.Diagnostics, planned.Diagnostics...)
}

func (d *Driver) actionServer(
	typeName string, config map[string]any,
) (tfprotov6.ActionServer, *tfprotov6.DynamicValue) {
	d.t.Helper()
	server, ok := d.server.(tfprotov6.ActionServer)
	s := d.actions[typeName]
	if !ok || s == nil {
		d.t.Fatalf("the provider has no action %s", typeName)
	}
	return server, d.encode(d.config(s, config))
}
