package acctest

import (
	"context"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
)

// ReadData validates and reads a data source. The object is nil after an error.
func (d *Driver) ReadData(
	ctx context.Context, typeName string, config map[string]any,
) (*Object, []*tfprotov6.Diagnostic) {
	d.t.Helper()
	s := d.data[typeName]
	if s == nil {
		d.t.Fatalf("the provider has no data source %s", typeName)
	}
	value := d.config(s, config)
	validated, err := d.server.ValidateDataResourceConfig(ctx, &tfprotov6.ValidateDataResourceConfigRequest{
		TypeName: typeName,
		Config:   d.encode(value),
	})
	if err != nil {
		return nil, callFailed(err)
	}
	if HasErrors(validated.Diagnostics) {
		return nil, validated.Diagnostics
	}
	resp, err := d.server.ReadDataSource(
		ctx, &tfprotov6.ReadDataSourceRequest{TypeName: typeName, Config: d.encode(value)},
	)
	if err != nil {
		return nil, callFailed(err)
	}
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
