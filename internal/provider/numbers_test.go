package provider_test

import (
	"context"
	"fmt"
	"math/big"
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-framework/providerserver"
	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/hashicorp/terraform-plugin-go/tftypes"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/acctest"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/provider"
)

// TestEveryNumberIsWhole: a number that is no 64-bit integer is an error of ours, at the
// attribute, for every number that the provider has: the framework would call it an
// error in the provider.
func TestEveryNumberIsWhole(t *testing.T) {
	t.Parallel()
	server := providerserver.NewProtocol6(provider.New("test")())()
	all, err := server.GetProviderSchema(t.Context(), &tfprotov6.GetProviderSchemaRequest{})
	if err != nil {
		t.Fatal(err)
	}
	found := map[string]int{}
	check := func(kind, typeName string, schema *tfprotov6.Schema, validate func(context.Context, *tfprotov6.DynamicValue) ([]*tfprotov6.Diagnostic, error)) {
		for _, at := range numbersOf(schema.Block, nil) {
			found[kind]++
			for _, number := range []string{"1.5", "-0.1", "9223372036854775808", "-9223372036854775809", "1e+300"} {
				value, _, err := big.ParseFloat(number, 10, 512, big.ToNearestEven)
				if err != nil {
					t.Fatal(err)
				}
				config := holding(schema.ValueType(), at, value)
				encoded, err := tfprotov6.NewDynamicValue(config.Type(), config)
				if err != nil {
					t.Fatal(err)
				}
				diags, err := validate(t.Context(), &encoded)
				if err != nil {
					t.Fatal(err)
				}
				want := fmt.Sprintf("error at %s: Invalid number\n%s is %s. It must be a whole number", strings.Join(at, "."), written(at), number)
				readOnly := "error at " + at[0] + ": Invalid Configuration for Read-Only Attribute" // the framework looks no further
				if text := acctest.DiagText(diags); !strings.Contains(text, want) && !strings.Contains(text, readOnly) || strings.Contains(text, "error in the provider") {
					t.Errorf("%s %s: want %q in\n%s", kind, typeName, want, text)
				}
			}
		}
	}
	check("provider", "", all.Provider, func(ctx context.Context, config *tfprotov6.DynamicValue) ([]*tfprotov6.Diagnostic, error) {
		resp, err := server.ValidateProviderConfig(ctx, &tfprotov6.ValidateProviderConfigRequest{Config: config})
		return resp.Diagnostics, err
	})
	for name, schema := range all.ResourceSchemas {
		check("resource", name, schema, func(ctx context.Context, config *tfprotov6.DynamicValue) ([]*tfprotov6.Diagnostic, error) {
			resp, err := server.ValidateResourceConfig(ctx, &tfprotov6.ValidateResourceConfigRequest{TypeName: name, Config: config})
			return resp.Diagnostics, err
		})
	}
	for name, schema := range all.DataSourceSchemas {
		check("data source", name, schema, func(ctx context.Context, config *tfprotov6.DynamicValue) ([]*tfprotov6.Diagnostic, error) {
			resp, err := server.ValidateDataResourceConfig(ctx, &tfprotov6.ValidateDataResourceConfigRequest{TypeName: name, Config: config})
			return resp.Diagnostics, err
		})
	}
	for name, schema := range all.EphemeralResourceSchemas {
		check("ephemeral resource", name, schema, func(ctx context.Context, config *tfprotov6.DynamicValue) ([]*tfprotov6.Diagnostic, error) {
			resp, err := server.ValidateEphemeralResourceConfig(ctx, &tfprotov6.ValidateEphemeralResourceConfigRequest{TypeName: name, Config: config})
			return resp.Diagnostics, err
		})
	}
	for name, schema := range all.ListResourceSchemas {
		check("list resource", name, schema, func(ctx context.Context, config *tfprotov6.DynamicValue) ([]*tfprotov6.Diagnostic, error) {
			resp, err := server.(tfprotov6.ProviderServerWithListResource).ValidateListResourceConfig(ctx, &tfprotov6.ValidateListResourceConfigRequest{TypeName: name, Config: config}) //nolint:forcetypeassert,staticcheck // until ProviderServer has its methods
			return resp.Diagnostics, err
		})
	}
	for name, schema := range all.ActionSchemas {
		check("action", name, schema.Schema, func(ctx context.Context, config *tfprotov6.DynamicValue) ([]*tfprotov6.Diagnostic, error) {
			resp, err := server.(tfprotov6.ProviderServerWithActions).ValidateActionConfig(ctx, &tfprotov6.ValidateActionConfigRequest{ActionType: name, Config: config}) //nolint:forcetypeassert,staticcheck // until ProviderServer has its methods
			return resp.Diagnostics, err
		})
	}
	if found["provider"] < 2 || found["resource"] < 6 || found["data source"] < 10 {
		t.Errorf("found %v", found)
	}
}

// numbersOf returns the paths of all numbers of a block.
func numbersOf(block *tfprotov6.SchemaBlock, at []string) (paths [][]string) {
	for _, a := range block.Attributes {
		paths = append(paths, numbersIn(a.ValueType(), append(at[:len(at):len(at)], a.Name))...)
	}
	for _, b := range block.BlockTypes {
		paths = append(paths, numbersIn(b.ValueType(), append(at[:len(at):len(at)], b.TypeName))...)
	}
	return paths
}

func numbersIn(typ tftypes.Type, at []string) (paths [][]string) {
	switch typ := typ.(type) {
	case tftypes.List:
		return numbersIn(typ.ElementType, append(at[:len(at):len(at)], "0"))
	case tftypes.Object:
		for name, member := range typ.AttributeTypes {
			paths = append(paths, numbersIn(member, append(at[:len(at):len(at)], name))...)
		}
	default:
		if typ.Is(tftypes.Number) {
			paths = append(paths, at)
		}
	}
	return paths
}

// holding returns a value in which all is null but the number at the path. A list has one
// element.
func holding(typ tftypes.Type, at []string, number *big.Float) tftypes.Value {
	switch typ := typ.(type) {
	case tftypes.List:
		return tftypes.NewValue(typ, []tftypes.Value{holding(typ.ElementType, at[1:], number)})
	case tftypes.Object:
		members := map[string]tftypes.Value{}
		for name, member := range typ.AttributeTypes {
			members[name] = tftypes.NewValue(member, nil)
			if name == at[0] {
				members[name] = holding(member, at[1:], number)
			}
		}
		return tftypes.NewValue(typ, members)
	}
	return tftypes.NewValue(typ, number)
}

// written is the path as a configuration would write it.
func written(at []string) string {
	return strings.ReplaceAll(strings.Join(at, "."), ".0", "[0]")
}
