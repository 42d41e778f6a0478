// SPDX-License-Identifier: MPL-2.0

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
	value := d.encode(d.config(d.known(d.actions, typeName), config))
	validated, err := d.server.ValidateActionConfig(
		ctx, &tfprotov6.ValidateActionConfigRequest{ActionType: typeName, Config: value},
	)
	d.answered(err)
	if HasErrors(validated.Diagnostics) {
		return validated.Diagnostics
	}
	planned, err := d.server.PlanAction(ctx, &tfprotov6.PlanActionRequest{ActionType: typeName, Config: value})
	d.answered(err)
	return append(validated.Diagnostics, planned.Diagnostics...)
}

// InvokePlanned invokes an action that another process has planned, as an apply does.
func (d *Driver) InvokePlanned(
	ctx context.Context, typeName string, config map[string]any, watchers ...func(string),
) (progress []string, diags []*tfprotov6.Diagnostic) {
	d.t.Helper()
	value := d.encode(d.config(d.known(d.actions, typeName), config))
	stream, err := d.server.InvokeAction(ctx, &tfprotov6.InvokeActionRequest{ActionType: typeName, Config: value})
	d.answered(err)
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
