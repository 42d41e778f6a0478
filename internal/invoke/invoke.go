// SPDX-License-Identifier: MPL-2.0

// Package invoke runs an action of the provider without Terraform: it validates, plans and invokes it over the
// provider's own protocol, in this process. What an action is and which arguments it has, its schema says.
package invoke

import (
	"context"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/zclconf/go-cty/cty"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/cmd"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/provider"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/vmaction"
)

// Action is an action of the provider.
type Action struct {
	Name string // without that of the provider, such as vm_power

	typeName string
	schema   *tfprotov6.Schema
	server   provider.Server
}

// Actions returns the provider's actions, sorted by name.
func Actions(ctx context.Context, server provider.Server) ([]*Action, error) {
	schemas, err := server.GetProviderSchema(ctx, &tfprotov6.GetProviderSchemaRequest{})
	if err != nil {
		return nil, err
	}
	var actions []*Action
	for typeName, schema := range schemas.ActionSchemas {
		_, name, _ := strings.Cut(typeName, "_")
		actions = append(actions, &Action{name, typeName, schema.Schema, server})
	}
	slices.SortFunc(actions, func(a, b *Action) int { return strings.Compare(a.Name, b.Name) })
	return actions, nil
}

// Options are the values of the flags.
type Options struct {
	Yes bool              // do not ask before data is lost
	Env map[string]string // variables of the environment that have secret arguments
}

// Run invokes the action with arguments such as virtual_machine_id=1234. The credentials come from the environment.
func (a *Action) Run(ctx context.Context, arguments []string, options Options, streams cmd.Streams) error {
	values, err := a.parse(arguments)
	if err != nil {
		return err
	}
	if err := provider.CheckEnvironment(); err != nil {
		return err
	}
	if ctx, err = a.withSecrets(ctx, options.Env); err != nil {
		return err
	}
	out := &printer{out: streams.Err, warned: map[string]bool{}}
	stop := context.AfterFunc(ctx, func() {
		out.say("%s: interrupted; waiting for the action to end. Another Ctrl-C ends the program at once\n", a.Name)
	})
	defer stop()
	config, err := a.prepare(ctx, values, out)
	if err == nil && !options.Yes && vmaction.LosesData(a.typeName) {
		err = a.confirm(ctx, arguments, streams)
	}
	if err == nil {
		err = a.invoke(ctx, config, out)
	}
	if err != nil && ctx.Err() != nil {
		return &cmd.ExitError{Status: cmd.ExitInterrupted, Text: err.Error()}
	}
	return err
}

// prepare configures the provider, and validates and plans the action. It returns the action's configuration.
func (a *Action) prepare(
	ctx context.Context, values map[string]cty.Value, out *printer,
) (*tfprotov6.DynamicValue, error) {
	configured, err := cmd.Configure(ctx, a.server, nil)
	if err == nil {
		err = out.report(configured)
	}
	if err == nil {
		err = a.findNamed(ctx, values)
	}
	if err != nil {
		return nil, err
	}
	config, err := cmd.Config(a.schema, values)
	if err != nil {
		return nil, err
	}
	validated, err := a.server.ValidateActionConfig(
		ctx, &tfprotov6.ValidateActionConfigRequest{ActionType: a.typeName, Config: config},
	)
	if err == nil {
		err = out.report(validated.Diagnostics)
	}
	if err != nil {
		return nil, err
	}
	planned, err := a.server.PlanAction(ctx, &tfprotov6.PlanActionRequest{ActionType: a.typeName, Config: config})
	if err == nil {
		err = out.report(planned.Diagnostics)
	}
	return config, err
}

// confirm returns an error unless the person at the terminal says yes. The question has the arguments, none of which is a
// secret.
func (a *Action) confirm(ctx context.Context, arguments []string, streams cmd.Streams) error {
	question := fmt.Sprintf("%s %s destroys data. Continue? [y/N] ", a.Name, cmd.Printable(strings.Join(arguments, " ")))
	answer, err := streams.Ask(ctx, question, false)
	if err != nil {
		return fmt.Errorf("nothing was done: %w. --yes invokes %s without a question", err, a.Name)
	}
	if answer = strings.ToLower(answer); answer != "y" && answer != "yes" {
		return fmt.Errorf("nothing was done: %s was not confirmed", a.Name)
	}
	return nil
}

// invoke invokes the action and shows its progress.
func (a *Action) invoke(ctx context.Context, config *tfprotov6.DynamicValue, out *printer) error {
	stream, err := a.server.InvokeAction(ctx, &tfprotov6.InvokeActionRequest{ActionType: a.typeName, Config: config})
	if err != nil {
		return err
	}
	for event := range stream.Events {
		switch event := event.Type.(type) {
		case tfprotov6.ProgressInvokeActionEventType:
			out.say("%s: %s\n", a.Name, cmd.Printable(event.Message))
		case tfprotov6.CompletedInvokeActionEventType:
			if err := out.report(event.Diagnostics); err != nil {
				return err
			}
		}
	}
	if err := ctx.Err(); err != nil {
		return err
	}
	out.say("%s: done\n", a.Name)
	return nil
}

// printer prints progress and warnings.
type printer struct {
	out    io.Writer
	warned map[string]bool
}

// report prints the warnings, each once, because each step of an action may have the same. It returns the errors.
func (p *printer) report(diags []*tfprotov6.Diagnostic) error {
	for _, d := range diags {
		text := fmt.Sprintf("Warning: %s\n%s\n\n", d.Summary, d.Detail)
		if d.Severity == tfprotov6.DiagnosticSeverityWarning && !p.warned[text] {
			p.warned[text] = true
			p.say("%s", text)
		}
	}
	return cmd.ErrorOf(diags)
}

// say prints a text. A failure to do so does not end the action.
func (p *printer) say(format string, arguments ...any) {
	_, _ = fmt.Fprintf(p.out, format, arguments...)
}
