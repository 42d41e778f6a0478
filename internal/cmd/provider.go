// SPDX-License-Identifier: MPL-2.0

package cmd

import (
	"context"
	"errors"
	"fmt"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/zclconf/go-cty/cty"
	ctyjson "github.com/zclconf/go-cty/cty/json"
	ctymsgpack "github.com/zclconf/go-cty/cty/msgpack"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/provider"
)

// Configure configures the provider as Terraform does, with a provider block that has these arguments.
func Configure(
	ctx context.Context, server provider.Server, block map[string]cty.Value,
) ([]*tfprotov6.Diagnostic, error) {
	schemas, err := server.GetProviderSchema(ctx, &tfprotov6.GetProviderSchemaRequest{})
	if err != nil {
		return nil, err
	}
	config, err := Config(schemas.Provider, block)
	if err != nil {
		return nil, err
	}
	resp, err := server.ConfigureProvider(ctx, &tfprotov6.ConfigureProviderRequest{Config: config})
	if err != nil {
		return nil, err
	}
	return resp.Diagnostics, nil
}

// Config returns a block with these arguments. All others are null.
func Config(schema *tfprotov6.Schema, arguments map[string]cty.Value) (*tfprotov6.DynamicValue, error) {
	block, err := typeOf(schema)
	if err != nil {
		return nil, err
	}
	values := map[string]cty.Value{}
	for name, attribute := range block.AttributeTypes() {
		values[name] = cty.NullVal(attribute)
		if value, ok := arguments[name]; ok {
			values[name] = value
		}
	}
	encoded, err := ctymsgpack.Marshal(cty.ObjectVal(values), block)
	return &tfprotov6.DynamicValue{MsgPack: encoded}, err
}

// ReadData reads a data source with these arguments.
func ReadData(
	ctx context.Context, server provider.Server, typeName string, arguments map[string]cty.Value,
) (cty.Value, error) {
	schemas, err := server.GetProviderSchema(ctx, &tfprotov6.GetProviderSchemaRequest{})
	if err != nil {
		return cty.NilVal, err
	}
	schema := schemas.DataSourceSchemas[typeName]
	config, err := Config(schema, arguments)
	if err != nil {
		return cty.NilVal, err
	}
	resp, err := server.ReadDataSource(ctx, &tfprotov6.ReadDataSourceRequest{TypeName: typeName, Config: config})
	if err == nil {
		err = ErrorOf(resp.Diagnostics)
	}
	if err != nil {
		return cty.NilVal, err
	}
	return Decode(schema, resp.State)
}

// Decode returns a value that the provider answered for this schema.
func Decode(schema *tfprotov6.Schema, value *tfprotov6.DynamicValue) (cty.Value, error) {
	typ, err := typeOf(schema)
	if err != nil {
		return cty.NilVal, err
	}
	return ctymsgpack.Unmarshal(value.MsgPack, typ)
}

func typeOf(schema *tfprotov6.Schema) (cty.Type, error) {
	text, err := schema.ValueType().MarshalJSON() //nolint:staticcheck // the format that both libraries support
	if err != nil {
		return cty.NilType, err
	}
	return ctyjson.UnmarshalType(text)
}

// ErrorOf joins the errors among diagnostics. It returns nil if there is none.
func ErrorOf(diags []*tfprotov6.Diagnostic) error {
	var all []error
	for _, d := range diags {
		if d.Severity == tfprotov6.DiagnosticSeverityError {
			all = append(all, fmt.Errorf("%s: %s", d.Summary, d.Detail))
		}
	}
	return errors.Join(all...)
}
