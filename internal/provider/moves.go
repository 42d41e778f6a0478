package provider

import (
	"context"
	"fmt"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
)

// refuseMove refuses a moved block that changes the type or the provider of a resource. No resource can be moved like
// that, and the framework's message is for developers.
func refuseMove(
	_ context.Context, req *tfprotov6.MoveResourceStateRequest,
) (*tfprotov6.MoveResourceStateResponse, error) {
	refusal := &tfprotov6.Diagnostic{Severity: tfprotov6.DiagnosticSeverityError}
	if req.SourceTypeName == req.TargetTypeName {
		refusal.Summary = fmt.Sprintf("Cannot move a %s from another provider", req.SourceTypeName)
		refusal.Detail = fmt.Sprintf("The state has the resource under the provider %s, and a moved block cannot change that. "+
			"Remove the block, and use terraform state replace-provider.", req.SourceProviderAddress)
	} else {
		refusal.Summary = fmt.Sprintf("Cannot move a %s to a %s", req.SourceTypeName, req.TargetTypeName)
		refusal.Detail = "A moved block gives a resource another address, and cannot change its type. Correct or remove the block. " +
			"Without it, the plan destroys the old object if no resource has it any more: a removed block with destroy = false keeps it."
	}
	return &tfprotov6.MoveResourceStateResponse{Diagnostics: []*tfprotov6.Diagnostic{refusal}}, nil
}
