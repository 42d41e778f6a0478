package provider_test

import (
	"context"
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/hashicorp/terraform-plugin-go/tftypes"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/acctest"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/provider"
)

// validation is one schema of the provider, and how its configuration is validated.
type validation struct {
	kind, name string
	schema     *tfprotov6.Schema
	validate   func(context.Context, *tfprotov6.DynamicValue) ([]*tfprotov6.Diagnostic, error)
}

// of validates a configuration in which all is null but the value at the path, and returns the messages.
func (v validation) of(t *testing.T, at []string, value any) string {
	t.Helper()
	config := holding(v.schema.ValueType(), at, value)
	encoded, err := tfprotov6.NewDynamicValue(config.Type(), config)
	if err != nil {
		t.Fatal(err)
	}
	diags, err := v.validate(t.Context(), &encoded)
	if err != nil {
		t.Fatal(err)
	}
	return acctest.DiagText(diags)
}

// validations returns every schema of the provider.
func validations(t *testing.T) (all []validation) {
	t.Helper()
	server := acctest.NewServer(t, provider.New("test")())
	schemas, err := server.GetProviderSchema(t.Context(), &tfprotov6.GetProviderSchemaRequest{})
	if err != nil {
		t.Fatal(err)
	}
	add := func(kind, name string, schema *tfprotov6.Schema, validate func(context.Context, *tfprotov6.DynamicValue) ([]*tfprotov6.Diagnostic, error)) {
		all = append(all, validation{kind, name, schema, validate})
	}
	add("provider", "", schemas.Provider, func(ctx context.Context, config *tfprotov6.DynamicValue) ([]*tfprotov6.Diagnostic, error) {
		resp, err := server.ValidateProviderConfig(ctx, &tfprotov6.ValidateProviderConfigRequest{Config: config})
		return resp.Diagnostics, err
	})
	for name, schema := range schemas.ResourceSchemas {
		add("resource", name, schema, func(ctx context.Context, config *tfprotov6.DynamicValue) ([]*tfprotov6.Diagnostic, error) {
			resp, err := server.ValidateResourceConfig(ctx, &tfprotov6.ValidateResourceConfigRequest{
				TypeName: name, Config: config, ClientCapabilities: &tfprotov6.ValidateResourceConfigClientCapabilities{WriteOnlyAttributesAllowed: true},
			})
			return resp.Diagnostics, err
		})
	}
	for name, schema := range schemas.DataSourceSchemas {
		add("data source", name, schema, func(ctx context.Context, config *tfprotov6.DynamicValue) ([]*tfprotov6.Diagnostic, error) {
			resp, err := server.ValidateDataResourceConfig(ctx, &tfprotov6.ValidateDataResourceConfigRequest{TypeName: name, Config: config})
			return resp.Diagnostics, err
		})
	}
	for name, schema := range schemas.EphemeralResourceSchemas {
		add("ephemeral resource", name, schema, func(ctx context.Context, config *tfprotov6.DynamicValue) ([]*tfprotov6.Diagnostic, error) {
			resp, err := server.ValidateEphemeralResourceConfig(ctx, &tfprotov6.ValidateEphemeralResourceConfigRequest{TypeName: name, Config: config})
			return resp.Diagnostics, err
		})
	}
	for name, schema := range schemas.ListResourceSchemas {
		add("list resource", name, schema, func(ctx context.Context, config *tfprotov6.DynamicValue) ([]*tfprotov6.Diagnostic, error) {
			resp, err := server.ValidateListResourceConfig(ctx, &tfprotov6.ValidateListResourceConfigRequest{TypeName: name, Config: config})
			return resp.Diagnostics, err
		})
	}
	for name, schema := range schemas.ActionSchemas {
		add("action", name, schema.Schema, func(ctx context.Context, config *tfprotov6.DynamicValue) ([]*tfprotov6.Diagnostic, error) {
			resp, err := server.ValidateActionConfig(ctx, &tfprotov6.ValidateActionConfigRequest{ActionType: name, Config: config})
			return resp.Diagnostics, err
		})
		// Values that a validation does not know yet are validated when the action is planned, or invoked.
		add("planned action", name, schema.Schema, func(ctx context.Context, config *tfprotov6.DynamicValue) ([]*tfprotov6.Diagnostic, error) {
			resp, err := server.PlanAction(ctx, &tfprotov6.PlanActionRequest{ActionType: name, Config: config})
			return resp.Diagnostics, err
		})
		add("invoked action", name, schema.Schema, func(ctx context.Context, config *tfprotov6.DynamicValue) (diags []*tfprotov6.Diagnostic, err error) {
			stream, err := server.InvokeAction(ctx, &tfprotov6.InvokeActionRequest{ActionType: name, Config: config})
			if err != nil {
				return nil, err
			}
			for event := range stream.Events {
				if end, ok := event.Type.(tfprotov6.CompletedInvokeActionEventType); ok {
					diags = append(diags, end.Diagnostics...)
				}
			}
			return diags, nil
		})
	}
	return all
}

// attributesOf calls use for every attribute of a block and of the blocks in it.
func attributesOf(block *tfprotov6.SchemaBlock, at []string, use func(at []string, a *tfprotov6.SchemaAttribute)) {
	for _, a := range block.Attributes {
		use(append(at[:len(at):len(at)], a.Name), a)
	}
	for _, b := range block.BlockTypes {
		inside := append(at[:len(at):len(at)], b.TypeName)
		if b.Nesting == tfprotov6.SchemaNestedBlockNestingModeList {
			inside = append(inside, "0")
		}
		attributesOf(b.Block, inside, use)
	}
}

// pathsOf returns the paths of all values of a type, in nested attributes also.
func pathsOf(block *tfprotov6.SchemaBlock, wanted tftypes.Type) (paths [][]string) {
	attributesOf(block, nil, func(at []string, a *tfprotov6.SchemaAttribute) {
		paths = append(paths, pathsIn(a.ValueType(), wanted, at)...)
	})
	return paths
}

func pathsIn(typ, wanted tftypes.Type, at []string) (paths [][]string) {
	switch typ := typ.(type) {
	case tftypes.List:
		return pathsIn(typ.ElementType, wanted, append(at[:len(at):len(at)], "0"))
	case tftypes.Object:
		for name, member := range typ.AttributeTypes {
			paths = append(paths, pathsIn(member, wanted, append(at[:len(at):len(at)], name))...)
		}
	default:
		if typ.Is(wanted) {
			paths = append(paths, at)
		}
	}
	return paths
}

// holding returns a value in which all is null but the value at the path. A list has one element.
func holding(typ tftypes.Type, at []string, value any) tftypes.Value {
	switch typ := typ.(type) {
	case tftypes.List:
		if len(at) > 0 {
			return tftypes.NewValue(typ, []tftypes.Value{holding(typ.ElementType, at[1:], value)})
		}
	case tftypes.Object:
		if len(at) > 0 {
			members := map[string]tftypes.Value{}
			for name, member := range typ.AttributeTypes {
				members[name] = tftypes.NewValue(member, nil)
				if name == at[0] {
					members[name] = holding(member, at[1:], value)
				}
			}
			return tftypes.NewValue(typ, members)
		}
	}
	return tftypes.NewValue(typ, value)
}

// written is the path as a configuration would write it.
func written(at []string) string {
	return strings.ReplaceAll(strings.Join(at, "."), ".0", "[0]")
}
