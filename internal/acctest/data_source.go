// SPDX-License-Identifier: MPL-2.0

package acctest

import (
	"context"
	"time"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
)

// ReadData validates and reads a data source. The object is nil after an error.
func (d *Driver) ReadData(
	ctx context.Context, typeName string, config map[string]any,
) (*Object, []*tfprotov6.Diagnostic) {
	d.t.Helper()
	s := d.known(d.data, typeName)
	value := d.encode(d.config(s, config))
	validated, err := d.server.ValidateDataResourceConfig(
		ctx, &tfprotov6.ValidateDataResourceConfigRequest{TypeName: typeName, Config: value},
	)
	d.answered(err)
	if HasErrors(validated.Diagnostics) {
		return nil, validated.Diagnostics
	}
	resp, err := d.server.ReadDataSource(ctx, &tfprotov6.ReadDataSourceRequest{TypeName: typeName, Config: value})
	d.answered(err)
	diags := append(validated.Diagnostics, resp.Diagnostics...)
	if HasErrors(diags) {
		return nil, diags
	}
	state := d.decode(resp.State, s.typ)
	if state.IsNull() {
		d.broken("its read", typeName, []string{"answered null"})
	}
	d.broken("its read, unknown", typeName, unknownPaths(state, ""))
	return d.object(typeName, state, nil, nil), diags
}

// MustReadData is ReadData, and fails the test on any error.
func (d *Driver) MustReadData(ctx context.Context, typeName string, config map[string]any) *Object {
	d.t.Helper()
	o, diags := d.ReadData(ctx, typeName, config)
	d.must("read", typeName, diags)
	return o
}

// Ephemeral is an ephemeral resource that is open, as Terraform holds it in memory.
type Ephemeral struct {
	*Object
	RenewAt time.Time // zero: never
}

// Open validates and opens an ephemeral resource. It is nil after an error.
func (d *Driver) Open(
	ctx context.Context, typeName string, config map[string]any,
) (*Ephemeral, []*tfprotov6.Diagnostic) {
	d.t.Helper()
	s := d.known(d.ephemeral, typeName)
	configured := d.config(s, config)
	value := d.encode(configured)
	validated, err := d.server.ValidateEphemeralResourceConfig(
		ctx, &tfprotov6.ValidateEphemeralResourceConfigRequest{TypeName: typeName, Config: value},
	)
	d.answered(err)
	if HasErrors(validated.Diagnostics) {
		return nil, validated.Diagnostics
	}
	resp, err := d.server.OpenEphemeralResource(
		ctx, &tfprotov6.OpenEphemeralResourceRequest{TypeName: typeName, Config: value},
	)
	d.answered(err)
	diags := append(validated.Diagnostics, resp.Diagnostics...)
	if HasErrors(diags) {
		return nil, diags
	}
	result := d.decode(resp.Result, s.typ)
	d.broken("its opening, unknown", typeName, unknownPaths(result, ""))
	for name, given := range members(configured) {
		if !given.IsNull() && !given.Equal(members(result)[name]) {
			d.broken("its opening", typeName, []string{name + ": not what the configuration says"})
		}
	}
	return &Ephemeral{d.object(typeName, result, resp.Private, nil), resp.RenewAt}, diags
}

// Renew keeps an ephemeral resource open, as Terraform does at RenewAt. It returns the renewed one, or nil after an
// error.
func (d *Driver) Renew(ctx context.Context, e *Ephemeral) (*Ephemeral, []*tfprotov6.Diagnostic) {
	d.t.Helper()
	resp, err := d.server.RenewEphemeralResource(
		ctx, &tfprotov6.RenewEphemeralResourceRequest{TypeName: e.TypeName, Private: e.Private},
	)
	d.answered(err)
	if HasErrors(resp.Diagnostics) {
		return nil, resp.Diagnostics
	}
	renewed := *e.Object
	renewed.Private = resp.Private
	return &Ephemeral{&renewed, resp.RenewAt}, resp.Diagnostics
}

// Close closes an ephemeral resource, as Terraform does at the end of a phase.
func (d *Driver) Close(ctx context.Context, e *Ephemeral) []*tfprotov6.Diagnostic {
	d.t.Helper()
	resp, err := d.server.CloseEphemeralResource(
		ctx, &tfprotov6.CloseEphemeralResourceRequest{TypeName: e.TypeName, Private: e.Private},
	)
	d.answered(err)
	return resp.Diagnostics
}

// Call calls a function of the provider and returns its result as a Go value, like Object.Get. The error names the
// argument to blame.
func (d *Driver) Call(ctx context.Context, name string, arguments ...any) (any, *tfprotov6.FunctionError) {
	d.t.Helper()
	signature := d.functions[name]
	if signature == nil || len(signature.Parameters) != len(arguments) {
		d.t.Fatalf("the provider has no function %s of %d arguments", name, len(arguments))
	}
	req := &tfprotov6.CallFunctionRequest{Name: name}
	for i, parameter := range signature.Parameters {
		value, err := buildValue(parameter.Type, arguments[i], parameter.Name)
		if err != nil {
			d.t.Fatalf("the test's argument: %v", err)
		}
		req.Arguments = append(req.Arguments, d.encode(value))
	}
	resp, err := d.server.CallFunction(ctx, req)
	d.answered(err)
	if resp.Error != nil {
		return nil, resp.Error
	}
	return goValue(d.decode(resp.Result, signature.Return.Type)), nil
}
