package tfkit

import (
	"context"

	"github.com/hashicorp/terraform-plugin-framework/resource"
)

// SameTypeMover returns the mover of a resource that is moved from the same
// provider under another address, such as a fork or a mirror: it copies the
// state, with its private part. M is the model of the state.
func SameTypeMover[M any](ctx context.Context, r resource.Resource, typeName string, identity func(M) Identity) resource.StateMover {
	var own resource.SchemaResponse
	r.Schema(ctx, resource.SchemaRequest{}, &own)
	return resource.StateMover{
		SourceSchema: &own.Schema,
		StateMover: func(ctx context.Context, req resource.MoveStateRequest, resp *resource.MoveStateResponse) {
			if req.SourceTypeName != typeName || req.SourceState == nil {
				return
			}
			resp.TargetState.Raw = req.SourceState.Raw
			if req.SourcePrivate != nil {
				resp.TargetPrivate = req.SourcePrivate
			}
			var state M
			resp.Diagnostics.Append(req.SourceState.Get(ctx, &state)...)
			identity(state).Save(ctx, resp.TargetIdentity, &resp.Diagnostics)
		},
	}
}
