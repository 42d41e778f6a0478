package acctest

import (
	"context"
	"time"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
)

// Ephemeral is an ephemeral resource that is open, as Terraform would hold it
// in memory. It is never changed: Renew answers a new one.
type Ephemeral struct {
	*Object
	RenewAt time.Time // zero: never
}

// Open validates and opens an ephemeral resource. It is nil when there is an
// error.
func (d *Driver) Open(
	ctx context.Context, typeName string, config map[string]any,
) (*Ephemeral, []*tfprotov6.Diagnostic) {
	d.t.Helper()
	s := d.ephemeral[typeName]
	if s == nil {
		d.t.Fatalf("the provider has no ephemeral resource %s", typeName)
	}
	value := d.config(s, config)
	validated, err := d.server.ValidateEphemeralResourceConfig(ctx, &tfprotov6.ValidateEphemeralResourceConfigRequest{
		TypeName: typeName,
		Config:   d.encode(value),
	})
	if err != nil {
		return nil, callFailed(err)
	}
	if HasErrors(validated.Diagnostics) {
		return nil, validated.Diagnostics
	}
	resp, err := d.server.OpenEphemeralResource(
		ctx, &tfprotov6.OpenEphemeralResourceRequest{TypeName: typeName, Config: d.encode(value)},
	)
	if err != nil {
		return nil, callFailed(err)
	}
	diags := append(validated.Diagnostics, resp.Diagnostics...)
	if HasErrors(diags) {
		return nil, diags
	}
	result := d.decode(resp.Result, s.typ)
	d.broken("its opening, unknown", typeName, unknownPaths(result, ""))
	for name, given := range members(value) {
		if !given.IsNull() && !given.Equal(members(result)[name]) {
			d.broken("its opening", typeName, []string{name + ": not what the configuration says"})
		}
	}
	return &Ephemeral{Object: d.object(typeName, result, resp.Private, nil), RenewAt: resp.RenewAt}, diags
}

// Renew keeps an ephemeral resource open, as Terraform does at RenewAt. After
// an error it is nil.
func (d *Driver) Renew(ctx context.Context, e *Ephemeral) (*Ephemeral, []*tfprotov6.Diagnostic) {
	d.t.Helper()
	resp, err := d.server.RenewEphemeralResource(
		ctx, &tfprotov6.RenewEphemeralResourceRequest{TypeName: e.TypeName, Private: e.Private},
	)
	if err != nil {
		return nil, callFailed(err)
	}
	if HasErrors(resp.Diagnostics) {
		return nil, resp.Diagnostics
	}
	renewed := *e.Object
	renewed.Private = resp.Private
	return &Ephemeral{Object: &renewed, RenewAt: resp.RenewAt}, resp.Diagnostics
}

// Close closes an ephemeral resource, as Terraform does at the end of a phase.
func (d *Driver) Close(ctx context.Context, e *Ephemeral) []*tfprotov6.Diagnostic {
	d.t.Helper()
	resp, err := d.server.CloseEphemeralResource(
		ctx, &tfprotov6.CloseEphemeralResourceRequest{TypeName: e.TypeName, Private: e.Private},
	)
	if err != nil {
		return callFailed(err)
	}
	return resp.Diagnostics
}
