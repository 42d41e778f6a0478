package acctest

import (
	"context"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/hashicorp/terraform-plugin-go/tftypes"
)

// Import imports an object by an ID and reads it, as `terraform import` and import blocks do. The result is nil after
// an error, or if there is nothing to import.
func (d *Driver) Import(ctx context.Context, typeName, id string) (*Object, []*tfprotov6.Diagnostic) {
	d.t.Helper()
	return d.importState(ctx, &tfprotov6.ImportResourceStateRequest{TypeName: typeName, ID: id})
}

// MustImport is Import, and fails the test on any error.
func (d *Driver) MustImport(ctx context.Context, typeName, id string) *Object {
	d.t.Helper()
	o, diags := d.Import(ctx, typeName, id)
	d.must("import", typeName, diags)
	return o
}

// ImportByIdentity imports an object by its resource identity, as an import block with the argument identity does.
func (d *Driver) ImportByIdentity(
	ctx context.Context, typeName string, identity map[string]any,
) (*Object, []*tfprotov6.Diagnostic) {
	d.t.Helper()
	object, ok := d.identities[typeName].(tftypes.Object)
	if !ok {
		d.t.Fatalf("the resource %s has no identity", typeName)
	}
	attributes := fields{}
	for name, attribute := range object.AttributeTypes {
		attributes[name] = &field{typ: attribute}
	}
	value, err := buildObject(attributes, object, identity, "identity")
	if err != nil {
		d.t.Fatalf("the test's identity: %v", err)
	}
	return d.importState(ctx, &tfprotov6.ImportResourceStateRequest{
		TypeName: typeName,
		Identity: &tfprotov6.ResourceIdentityData{IdentityData: d.encode(value)},
	})
}

func (d *Driver) importState(
	ctx context.Context, req *tfprotov6.ImportResourceStateRequest,
) (*Object, []*tfprotov6.Diagnostic) {
	d.t.Helper()
	s := d.resource(req.TypeName)
	resp, err := d.server.ImportResourceState(ctx, req)
	if err != nil {
		return nil, callFailed(err)
	}
	if HasErrors(resp.Diagnostics) {
		return nil, resp.Diagnostics
	}
	if len(resp.ImportedResources) != 1 {
		d.t.Errorf("%s: the import answered %d objects, not one", req.TypeName, len(resp.ImportedResources))
		return nil, resp.Diagnostics
	}
	imported := resp.ImportedResources[0]
	state := d.decode(imported.State, s.typ)
	d.broken("its import", req.TypeName, writeOnlyProblems(s.fields, state, ""))
	o, _, diags := d.read(ctx, d.object(imported.TypeName, state, imported.Private, imported.Identity))
	diags = append(resp.Diagnostics, diags...)
	if HasErrors(diags) {
		return nil, diags
	}
	if o == nil {
		diags = append(diags, &tfprotov6.Diagnostic{
			Severity: tfprotov6.DiagnosticSeverityError,
			Summary:  "Cannot import non-existent remote object",
		})
	}
	return o, diags
}
