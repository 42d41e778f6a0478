// Package invoke runs an action of the provider without Terraform: it validates, plans and invokes it over the
// provider's own protocol, in this process. It knows no action. What it needs, a schema tells, so that a new action can
// be invoked without a line here.
//
//	invoke.go        the actions, and the steps of an invocation
//	values.go        the values on the command line, as the schema has them
//	help.go          what an action is and which values it has
//	confirm.go       the question before an action that takes data from a machine, and its answers without a terminal
//	diagnostics.go   errors and warnings, as the CLI shows them
package invoke

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"

	framework "github.com/hashicorp/terraform-plugin-framework/provider"
	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/hashicorp/terraform-plugin-go/tftypes"
	"github.com/spf13/pflag"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/cloudserver"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/command"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/provider"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/tfkit"
)

// exitInterrupted is how a shell reports an interrupted program.
const exitInterrupted = 130

// Options are the flags of the command.
type Options struct {
	yes, unprotected bool
	state            string
}

// Register adds the flags of the command.
func Register(flags *pflag.FlagSet) *Options {
	o := &Options{}
	flags.BoolVar(&o.yes, "yes", false, "do not ask before data is lost; together with --state or --unprotected")
	flags.StringVar(&o.state, "state", "", "obey deletion_protection in the state in this `file`, the output of terraform show -json")
	flags.BoolVar(&o.unprotected, "unprotected", false, "no state protects the machine")
	return o
}

// Action is an action of the provider.
type Action struct {
	Name   string // without that of the provider, such as vm_power
	Type   string // with it
	schema *tfprotov6.Schema
}

// Actions returns the provider's actions, sorted by name.
func Actions(ctx context.Context, factory func() framework.Provider) ([]*Action, error) {
	server, err := provider.NewServer(factory())
	if err != nil {
		return nil, err
	}
	schemas, err := server.GetProviderSchema(ctx, &tfprotov6.GetProviderSchemaRequest{})
	if err != nil {
		return nil, err
	}
	actions := make([]*Action, 0, len(schemas.ActionSchemas))
	for typeName, schema := range schemas.ActionSchemas {
		_, name, _ := strings.Cut(typeName, "_")
		actions = append(actions, &Action{name, typeName, schema.Schema})
	}
	slices.SortFunc(actions, func(a, b *Action) int { return strings.Compare(a.Name, b.Name) })
	return actions, nil
}

// Run invokes the action with values such as virtual_machine_id=1234. The credentials come from the environment.
func (a *Action) Run(
	ctx context.Context, o *Options, values []string, factory func() framework.Provider, streams command.Streams,
) error {
	value, err := a.parse(values)
	if err != nil {
		return err
	}
	config, err := tfprotov6.NewDynamicValue(value.Type(), value)
	if err != nil {
		return err
	}
	i := &invocation{action: a, options: o, streams: streams}
	defer context.AfterFunc(ctx, func() {
		i.print("%s: interrupted; waiting for the action to end. Another Ctrl-C ends the program at once, and may leave the machine off\n", a.Name)
	})()
	if err := i.configure(ctx, factory); err != nil {
		return i.failed(ctx, err)
	}
	return i.failed(ctx, i.run(ctx, &config))
}

// invocation is one run of the command.
type invocation struct {
	action  *Action
	options *Options
	streams command.Streams
	server  provider.Server
	shown   []string // diagnostics

	printing sync.Mutex
}

// errReported is an error that is among the diagnostics already.
var errReported = errors.New("")

// configure configures the provider as Terraform does with an empty provider block.
func (i *invocation) configure(ctx context.Context, factory func() framework.Provider) error {
	if err := provider.CheckEnvironment(); err != nil {
		return err
	}
	p := factory()
	configured, ok := p.(interface{ Data() *tfkit.ProviderData })
	if !ok {
		return errors.New("the provider shows no data")
	}
	whole, err := provider.NewServer(p)
	if err != nil {
		return err
	}
	schemas, err := whole.GetProviderSchema(ctx, &tfprotov6.GetProviderSchemaRequest{})
	if err != nil {
		return err
	}
	empty, err := build(schemas.Provider.Block, nil)
	if err != nil {
		return err
	}
	config, err := tfprotov6.NewDynamicValue(empty.Type(), empty)
	if err != nil {
		return err
	}
	resp, err := whole.ConfigureProvider(ctx, &tfprotov6.ConfigureProviderRequest{Config: &config, TerraformVersion: provider.ByHand})
	if err != nil {
		return err
	}
	if err := i.show(resp.Diagnostics); err != nil {
		return err
	}
	i.server = whole
	return i.guard(configured.Data())
}

// run validates, plans and invokes the action.
func (i *invocation) run(ctx context.Context, config *tfprotov6.DynamicValue) error {
	typeName := i.action.Type
	validated, err := i.server.ValidateActionConfig(ctx, &tfprotov6.ValidateActionConfigRequest{ActionType: typeName, Config: config})
	if err != nil {
		return err
	}
	if err := i.show(validated.Diagnostics); err != nil {
		return err
	}
	planned, err := i.server.PlanAction(ctx, &tfprotov6.PlanActionRequest{ActionType: typeName, Config: config})
	if err != nil {
		return err
	}
	if err := i.show(planned.Diagnostics); err != nil {
		return err
	}
	stream, err := i.server.InvokeAction(ctx, &tfprotov6.InvokeActionRequest{ActionType: typeName, Config: config})
	if err != nil {
		return err
	}
	completed := false
	for event := range stream.Events {
		switch event := event.Type.(type) {
		case tfprotov6.ProgressInvokeActionEventType:
			i.print("%s: %s\n", i.action.Name, cloudserver.Shown(event.Message))
		case tfprotov6.CompletedInvokeActionEventType:
			completed = true
			err = i.show(event.Diagnostics)
		}
	}
	if err == nil && !completed && ctx.Err() == nil {
		return errors.New("the action ended without a result")
	}
	if err == nil && ctx.Err() == nil {
		i.print("%s: done\n", i.action.Name)
	}
	return err
}

// failed returns the error of the command.
func (i *invocation) failed(ctx context.Context, err error) error {
	switch {
	case ctx.Err() != nil:
		return command.Failed(exitInterrupted)
	case errors.Is(err, errReported):
		return command.Failed(1)
	}
	return err
}

// print reports something to a person or a log. An error is ignored: it is progress alone.
func (i *invocation) print(format string, arguments ...any) {
	i.printing.Lock()
	defer i.printing.Unlock()
	_, _ = fmt.Fprintf(i.streams.Err, format, arguments...)
}

// typeOf returns the type of a block's values.
func typeOf(block *tfprotov6.SchemaBlock) tftypes.Object {
	object, _ := block.ValueType().(tftypes.Object) // it always is one
	return object
}
