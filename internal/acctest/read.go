package acctest

import (
	"context"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
)

// Refresh reads an object again. Nil is one that is gone; after an error it is
// the object as it was.
func (d *Driver) Refresh(ctx context.Context, o *Object) (*Object, []*tfprotov6.Diagnostic) {
	d.t.Helper()
	if o == nil {
		return nil, nil
	}
	s := d.resource(o.TypeName)
	d.beginRun()
	resp, err := d.server.ReadResource(ctx, &tfprotov6.ReadResourceRequest{
		TypeName:        o.TypeName,
		CurrentState:    d.encode(o.State),
		Private:         o.Private,
		CurrentIdentity: o.Identity,
	})
	if err != nil {
		return o, callFailed(err)
	}
	if HasErrors(resp.Diagnostics) {
		return o, resp.Diagnostics
	}
	state := d.decode(resp.NewState, s.typ)
	d.broken("its read", o.TypeName, writeOnlyProblems(s.fields, state, ""))
	for _, at := range unknownPaths(state, "") {
		d.broken("its read", o.TypeName, []string{at + ": unknown"})
	}
	read := d.object(o.TypeName, state, resp.Private, resp.NewIdentity)
	if read != nil {
		read.Tainted = o.Tainted
	}
	return read, resp.Diagnostics
}
