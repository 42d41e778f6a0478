package tfkit

import (
	"context"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/resource"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema"
	"github.com/hashicorp/terraform-plugin-framework/tfsdk"
)

// SameTypeMover returns the mover of a resource that is moved from the same
// provider under another address, such as a fork or a mirror: it copies the
// state, with its private part. Identity returns the identity of that state.
func SameTypeMover(typeName string, source schema.Schema, identity func(context.Context, tfsdk.State, *diag.Diagnostics) Identity) resource.StateMover {
	return resource.StateMover{
		SourceSchema: &source,
		StateMover: func(ctx context.Context, req resource.MoveStateRequest, resp *resource.MoveStateResponse) {
			if req.SourceTypeName != typeName || req.SourceState == nil {
				return
			}
			resp.TargetState.Raw = req.SourceState.Raw
			if req.SourcePrivate != nil {
				resp.TargetPrivate = req.SourcePrivate
			}
			identity(ctx, *req.SourceState, &resp.Diagnostics).Save(ctx, resp.TargetIdentity, &resp.Diagnostics)
		},
	}
}
