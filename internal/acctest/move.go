package acctest

import (
	"context"
	"encoding/json"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
)

// MoveSource is a resource of another provider, as Terraform's state holds it.
type MoveSource struct {
	ProviderAddress string // "registry.terraform.io/namespace/name"
	TypeName        string
	State           map[string]any
	Private         []byte
}

// Move makes a resource of another provider into one of this, as a moved block
// does. The object is not refreshed yet; it is nil after an error.
func (d *Driver) Move(ctx context.Context, typeName string, source MoveSource) (*Object, []*tfprotov6.Diagnostic) {
	d.t.Helper()
	state, err := json.Marshal(source.State)
	if err != nil {
		d.t.Fatalf("the test's state: %v", err)
	}
	resp, err := d.server.MoveResourceState(ctx, &tfprotov6.MoveResourceStateRequest{
		SourceProviderAddress: source.ProviderAddress,
		SourceTypeName:        source.TypeName,
		SourceState:           &tfprotov6.RawState{JSON: state},
		SourcePrivate:         source.Private,
		TargetTypeName:        typeName,
	})
	if err != nil {
		return nil, callFailed(err)
	}
	if HasErrors(resp.Diagnostics) {
		return nil, resp.Diagnostics
	}
	s := d.resource(typeName)
	value := d.decode(resp.TargetState, s.typ)
	d.broken("its move", typeName, writeOnlyProblems(s.fields, value, ""))
	for _, at := range unknownPaths(value, "") {
		d.broken("its move", typeName, []string{at + ": unknown"})
	}
	return d.object(typeName, value, resp.TargetPrivate, resp.TargetIdentity), resp.Diagnostics
}
