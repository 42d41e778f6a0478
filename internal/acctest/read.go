// SPDX-License-Identifier: MPL-2.0

package acctest

import (
	"context"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/hashicorp/terraform-plugin-go/tftypes"
)

// Refresh reads an object again. The result is nil if the object is gone. After an error it is the object as it was.
func (d *Driver) Refresh(ctx context.Context, o *Object) (*Object, []*tfprotov6.Diagnostic) {
	d.t.Helper()
	read, _, diags := d.refresh(ctx, o)
	return read, diags
}

// MustRefresh reads an object again, and fails the test on any error.
func (d *Driver) MustRefresh(ctx context.Context, o *Object) *Object {
	d.t.Helper()
	read, diags := d.Refresh(ctx, o)
	if o != nil {
		d.must("refresh", o.TypeName, diags)
	}
	return read
}

// refresh is Refresh, and also returns the private state of a read that found the object gone.
func (d *Driver) refresh(ctx context.Context, o *Object) (read *Object, left []byte, diags []*tfprotov6.Diagnostic) {
	d.t.Helper()
	if o == nil {
		return nil, nil, nil
	}
	d.upgrade(ctx, o)
	return d.read(ctx, o)
}

// upgrade passes the state of an object to the provider, as Terraform does before anything else. Since the state has the
// present version, that changes nothing.
func (d *Driver) upgrade(ctx context.Context, o *Object) {
	d.t.Helper()
	stored, err := o.JSON()
	if err != nil {
		d.t.Fatalf("the state of %s: %v", o.TypeName, err)
	}
	s := d.resource(o.TypeName)
	resp, err := d.server.UpgradeResourceState(ctx, &tfprotov6.UpgradeResourceStateRequest{
		TypeName: o.TypeName, Version: s.version, RawState: &tfprotov6.RawState{JSON: []byte(stored)},
	})
	d.answered(err)
	d.must("upgrade the state of", o.TypeName, resp.Diagnostics)
	d.broken("its upgrade of a state", o.TypeName, changedPaths(o.State, d.decode(resp.UpgradedState, s.typ), ""))
}

// read reads an object after the upgrade of its state, or after an import. If it is gone, left is the private state
// that the provider returned.
func (d *Driver) read(ctx context.Context, o *Object) (read *Object, left []byte, diags []*tfprotov6.Diagnostic) {
	d.t.Helper()
	s := d.resource(o.TypeName)
	resp, err := d.server.ReadResource(ctx, &tfprotov6.ReadResourceRequest{
		TypeName:        o.TypeName,
		CurrentState:    d.encode(o.State),
		Private:         o.Private,
		CurrentIdentity: o.Identity,
	})
	d.answered(err)
	if HasErrors(resp.Diagnostics) {
		return o, nil, resp.Diagnostics
	}
	state := d.decode(resp.NewState, s.typ)
	d.broken("its read", o.TypeName, writeOnlyProblems(s.fields, state, ""))
	d.broken("its read, unknown", o.TypeName, unknownPaths(state, ""))
	if read = d.object(o.TypeName, state, resp.Private, resp.NewIdentity); read == nil {
		return nil, resp.Private, resp.Diagnostics
	}
	read.Tainted = o.Tainted
	return read, nil, resp.Diagnostics
}

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
	values := map[string]tftypes.Value{}
	for name, typ := range object.AttributeTypes {
		values[name] = tftypes.NewValue(typ, identity[name])
	}
	return d.importState(ctx, &tfprotov6.ImportResourceStateRequest{
		TypeName: typeName,
		Identity: &tfprotov6.ResourceIdentityData{IdentityData: d.encode(tftypes.NewValue(object, values))},
	})
}

func (d *Driver) importState(
	ctx context.Context, req *tfprotov6.ImportResourceStateRequest,
) (*Object, []*tfprotov6.Diagnostic) {
	d.t.Helper()
	s := d.resource(req.TypeName)
	resp, err := d.server.ImportResourceState(ctx, req)
	d.answered(err)
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

// GeneratedConfig returns the configuration that -generate-config-out writes for an object with Terraform 1.14 and
// newer: what the provider returns for its state.
func (d *Driver) GeneratedConfig(ctx context.Context, o *Object) map[string]any {
	d.t.Helper()
	resp, err := d.server.GenerateResourceConfig(
		ctx, &tfprotov6.GenerateResourceConfigRequest{TypeName: o.TypeName, State: d.encode(o.State)},
	)
	d.answered(err)
	d.must("generate a configuration of", o.TypeName, resp.Diagnostics)
	config, _ := goValue(d.decode(resp.Config, d.resource(o.TypeName).typ)).(map[string]any)
	return config
}

// StateAsConfig returns the configuration that other CLIs write: everything in the state that may be in a
// configuration.
func (d *Driver) StateAsConfig(o *Object) map[string]any {
	d.t.Helper()
	config, _ := goValue(withoutComputed(d.resource(o.TypeName).fields, o.State)).(map[string]any)
	return config
}
