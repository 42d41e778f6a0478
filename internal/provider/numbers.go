package provider

import (
	"context"
	"fmt"
	"math/big"
	"slices"
	"sync"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/hashicorp/terraform-plugin-go/tftypes"
)

// numbers finds the numbers of a configuration that are not whole, or do not fit
// into 64 bits. All numbers of this provider do. The framework converts numbers
// before any validator runs, and blames the provider for those that it cannot
// convert.
type numbers struct {
	server  frameworkServer
	read    sync.Once // only when a configuration was refused
	schemas *tfprotov6.GetProviderSchemaResponse
	err     error
}

// explain returns diagnostics of our own for such numbers instead of the
// framework's, or these if there is no such number. Pick returns the schema of the
// configuration.
func (n *numbers) explain(ctx context.Context, config *tfprotov6.DynamicValue, diags []*tfprotov6.Diagnostic, pick func(*tfprotov6.GetProviderSchemaResponse) *tfprotov6.Schema) []*tfprotov6.Diagnostic {
	if config == nil || !slices.ContainsFunc(diags, isError) {
		return diags
	}
	n.read.Do(func() {
		n.schemas, n.err = n.server.GetProviderSchema(ctx, &tfprotov6.GetProviderSchemaRequest{})
	})
	if n.err != nil {
		return diags
	}
	schema := pick(n.schemas)
	if schema == nil {
		return diags
	}
	value, err := config.Unmarshal(schema.ValueType())
	if err != nil {
		return diags
	}
	var found []*tfprotov6.Diagnostic
	err = tftypes.Walk(value, func(at *tftypes.AttributePath, v tftypes.Value) (bool, error) {
		if d := numberProblem(at, v); d != nil {
			found = append(found, d)
		}
		return true, nil
	})
	if err != nil || len(found) == 0 {
		return diags
	}
	return found
}

func isError(d *tfprotov6.Diagnostic) bool {
	return d.Severity == tfprotov6.DiagnosticSeverityError
}

func numberProblem(at *tftypes.AttributePath, v tftypes.Value) *tfprotov6.Diagnostic {
	var number *big.Float
	if !v.Type().Is(tftypes.Number) || !v.IsKnown() || v.IsNull() || v.As(&number) != nil {
		return nil
	}
	problem := ""
	if !number.IsInt() {
		problem = "is not a whole number"
	} else if _, accuracy := number.Int64(); accuracy != big.Exact {
		problem = "is too large, or too small if it is negative"
	}
	if problem == "" {
		return nil
	}
	text := number.Text('f', -1)
	if len(text) > 40 {
		text = number.Text('g', 10)
	}
	return &tfprotov6.Diagnostic{
		Severity: tfprotov6.DiagnosticSeverityError, Summary: "Invalid number", Attribute: at,
		Detail: fmt.Sprintf("%s %s. Set it to a whole number; the functions ceil and floor round one.", text, problem),
	}
}

// ValidateProviderConfig implements tfprotov6.ProviderServer.
func (s server) ValidateProviderConfig(ctx context.Context, req *tfprotov6.ValidateProviderConfigRequest) (*tfprotov6.ValidateProviderConfigResponse, error) {
	resp, err := s.frameworkServer.ValidateProviderConfig(ctx, req)
	if resp != nil {
		resp.Diagnostics = s.numbers.explain(ctx, req.Config, resp.Diagnostics, func(all *tfprotov6.GetProviderSchemaResponse) *tfprotov6.Schema {
			return all.Provider
		})
	}
	return resp, err
}

// ValidateDataResourceConfig implements tfprotov6.DataSourceServer.
func (s server) ValidateDataResourceConfig(ctx context.Context, req *tfprotov6.ValidateDataResourceConfigRequest) (*tfprotov6.ValidateDataResourceConfigResponse, error) {
	resp, err := s.frameworkServer.ValidateDataResourceConfig(ctx, req)
	if resp != nil {
		resp.Diagnostics = s.numbers.explain(ctx, req.Config, resp.Diagnostics, func(all *tfprotov6.GetProviderSchemaResponse) *tfprotov6.Schema {
			return all.DataSourceSchemas[req.TypeName]
		})
	}
	return resp, err
}

// ValidateEphemeralResourceConfig implements tfprotov6.EphemeralResourceServer.
func (s server) ValidateEphemeralResourceConfig(ctx context.Context, req *tfprotov6.ValidateEphemeralResourceConfigRequest) (*tfprotov6.ValidateEphemeralResourceConfigResponse, error) {
	resp, err := s.frameworkServer.ValidateEphemeralResourceConfig(ctx, req)
	if resp != nil {
		resp.Diagnostics = s.numbers.explain(ctx, req.Config, resp.Diagnostics, func(all *tfprotov6.GetProviderSchemaResponse) *tfprotov6.Schema {
			return all.EphemeralResourceSchemas[req.TypeName]
		})
	}
	return resp, err
}

// ValidateListResourceConfig implements tfprotov6.ListResourceServer.
func (s server) ValidateListResourceConfig(ctx context.Context, req *tfprotov6.ValidateListResourceConfigRequest) (*tfprotov6.ValidateListResourceConfigResponse, error) {
	resp, err := s.frameworkServer.ValidateListResourceConfig(ctx, req)
	if resp != nil {
		resp.Diagnostics = s.numbers.explain(ctx, req.Config, resp.Diagnostics, func(all *tfprotov6.GetProviderSchemaResponse) *tfprotov6.Schema {
			return all.ListResourceSchemas[req.TypeName]
		})
	}
	return resp, err
}

// ValidateActionConfig implements tfprotov6.ActionServer.
func (s server) ValidateActionConfig(ctx context.Context, req *tfprotov6.ValidateActionConfigRequest) (*tfprotov6.ValidateActionConfigResponse, error) {
	resp, err := s.frameworkServer.ValidateActionConfig(ctx, req)
	if resp != nil {
		resp.Diagnostics = s.numbers.explain(ctx, req.Config, resp.Diagnostics, func(all *tfprotov6.GetProviderSchemaResponse) *tfprotov6.Schema {
			if action := all.ActionSchemas[req.ActionType]; action != nil {
				return action.Schema
			}
			return nil
		})
	}
	return resp, err
}
