package adopt

import (
	"context"
	"errors"
	"fmt"

	framework "github.com/hashicorp/terraform-plugin-framework/provider"
	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/zclconf/go-cty/cty"
	ctyjson "github.com/zclconf/go-cty/cty/json"
	ctymsgpack "github.com/zclconf/go-cty/cty/msgpack"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/cloudserver"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/command"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/provider"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/tfkit"
)

// The resources.
const (
	groupType    = "cloudserver_group"
	machineType  = "cloudserver_vm"
	scheduleType = "cloudserver_backup_schedule"
	nameType     = "cloudserver_rdns"
)

// Factory creates the provider.
type Factory = func() framework.Provider

// service is the provider, running in this process and configured by the environment.
type service struct {
	server  provider.Server
	data    *tfkit.ProviderData
	schemas *tfprotov6.GetProviderSchemaResponse
	types   map[string]cty.Type // of resources
}

// connect configures the provider like Terraform with an empty provider block.
func connect(ctx context.Context, factory Factory) (*service, error) {
	if err := provider.CheckEnvironment(); err != nil {
		return nil, err
	}
	p := factory()
	configured, ok := p.(interface{ Data() *tfkit.ProviderData })
	if !ok {
		return nil, errors.New("the provider shows no data")
	}
	whole, err := provider.NewServer(p)
	if err != nil {
		return nil, err
	}
	s := &service{server: whole, types: map[string]cty.Type{}}
	if s.schemas, err = whole.GetProviderSchema(ctx, &tfprotov6.GetProviderSchemaRequest{}); err != nil {
		return nil, err
	}
	for name, schema := range s.schemas.ResourceSchemas {
		if s.types[name], err = typeOf(schema); err != nil {
			return nil, err
		}
	}
	config, err := encode(s.schemas.Provider, nil)
	if err != nil {
		return nil, err
	}
	resp, err := whole.ConfigureProvider(
		ctx, &tfprotov6.ConfigureProviderRequest{Config: config, TerraformVersion: "adopt"},
	)
	if err == nil {
		err = problem(resp.Diagnostics)
	}
	s.data = configured.Data()
	return s, err
}

// importable is an object of the service as an import would read it.
type importable struct {
	typeName string
	state    cty.Value
}

// text returns a string of the state, or "" if it is null.
func (f importable) text(attribute string) string { return textOf(f.state.GetAttr(attribute)) }

func textOf(value cty.Value) string {
	if value.IsNull() || !value.IsKnown() || value.Type() != cty.String {
		return ""
	}
	return value.AsString()
}

// importID returns the ID to import the object by.
func (f importable) importID() string {
	switch f.typeName {
	case scheduleType:
		return f.text("virtual_machine_id") + "/" + f.text("disc_id") + "/" + f.text("id")
	case nameType:
		return f.text("address")
	}
	return f.text("id")
}

// list runs a list block without a limit. It returns what was found even if there is an error, which names what could
// not be read.
func (s *service) list(ctx context.Context, typeName string, config map[string]cty.Value) (all []importable, err error) {
	block, err := encode(s.schemas.ListResourceSchemas[typeName], config)
	if err != nil {
		return nil, err
	}
	stream, err := s.server.ListResource(
		ctx, &tfprotov6.ListResourceRequest{TypeName: typeName, Config: block, IncludeResource: true},
	)
	if err != nil {
		return nil, err
	}
	for result := range stream.Results {
		if err := problem(result.Diagnostics); err != nil {
			return all, err
		}
		if result.Resource == nil {
			continue
		}
		state, err := s.decode(typeName, result.Resource)
		if err != nil {
			return all, err
		}
		all = append(all, importable{typeName, state})
	}
	return all, nil
}

// choose returns the generated configuration of an object.
func (s *service) choose(ctx context.Context, f importable) (cty.Value, error) {
	state, err := s.encode(f.typeName, f.state)
	if err != nil {
		return cty.NilVal, err
	}
	resp, err := s.server.GenerateResourceConfig(
		ctx, &tfprotov6.GenerateResourceConfigRequest{TypeName: f.typeName, State: state},
	)
	if err == nil {
		err = problem(resp.Diagnostics)
	}
	if err != nil {
		return cty.NilVal, err
	}
	return s.decode(f.typeName, resp.Config)
}

// validate returns an error if Terraform would refuse a configuration.
func (s *service) validate(ctx context.Context, typeName string, config cty.Value) error {
	block, err := s.encode(typeName, config)
	if err != nil {
		return err
	}
	resp, err := s.server.ValidateResourceConfig(
		ctx, &tfprotov6.ValidateResourceConfigRequest{TypeName: typeName, Config: block},
	)
	if err != nil {
		return err
	}
	return problem(resp.Diagnostics)
}

// block returns the schema of a resource.
func (s *service) block(typeName string) *tfprotov6.SchemaBlock {
	return s.schemas.ResourceSchemas[typeName].Block
}

func (s *service) encode(typeName string, value cty.Value) (*tfprotov6.DynamicValue, error) {
	encoded, err := ctymsgpack.Marshal(value, s.types[typeName])
	return &tfprotov6.DynamicValue{MsgPack: encoded}, err
}

func (s *service) decode(typeName string, value *tfprotov6.DynamicValue) (cty.Value, error) {
	return ctymsgpack.Unmarshal(value.MsgPack, s.types[typeName])
}

// encode returns a block in which the given attributes are set.
func encode(schema *tfprotov6.Schema, set map[string]cty.Value) (*tfprotov6.DynamicValue, error) {
	kind, err := typeOf(schema)
	if err != nil {
		return nil, err
	}
	values := map[string]cty.Value{}
	for name, attribute := range kind.AttributeTypes() {
		values[name] = cty.NullVal(attribute)
		if value, ok := set[name]; ok {
			values[name] = value
		}
	}
	encoded, err := ctymsgpack.Marshal(cty.ObjectVal(values), kind)
	return &tfprotov6.DynamicValue{MsgPack: encoded}, err
}

// typeOf returns the type of a block's values.
func typeOf(schema *tfprotov6.Schema) (cty.Type, error) {
	text, err := schema.ValueType().MarshalJSON() //nolint:staticcheck // the format that both libraries support
	if err != nil {
		return cty.NilType, err
	}
	return ctyjson.UnmarshalType(text)
}

// problem joins the errors among diagnostics.
func problem(diags []*tfprotov6.Diagnostic) error {
	var all []error
	for _, d := range diags {
		if d.Severity == tfprotov6.DiagnosticSeverityError {
			all = append(all, errors.New(cloudserver.Shown(command.InVariables(fmt.Sprintf("%s: %s", d.Summary, d.Detail)))))
		}
	}
	return errors.Join(all...)
}
