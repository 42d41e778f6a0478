package provider

import (
	"context"
	"slices"

	"github.com/hashicorp/terraform-plugin-framework/provider"
	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
)

// counting counts validations and plans. They show whether the provider serves one walk of Terraform or, in a test,
// several.
type counting struct {
	wholeServer
	provider provider.Provider
}

// ValidateResourceConfig implements tfprotov6.ResourceServer.
func (s counting) ValidateResourceConfig(
	ctx context.Context, req *tfprotov6.ValidateResourceConfigRequest,
) (*tfprotov6.ValidateResourceConfigResponse, error) {
	resp, err := s.wholeServer.ValidateResourceConfig(ctx, req)
	data := dataOf(s.provider)
	if data == nil || err != nil || slices.ContainsFunc(resp.Diagnostics, isError) {
		return resp, err
	}
	data.Notes.Walks.Validated()
	return resp, nil
}

// isError reports whether a diagnostic prevents the plan of a resource.
func isError(d *tfprotov6.Diagnostic) bool { return d.Severity == tfprotov6.DiagnosticSeverityError }

// PlanResourceChange implements tfprotov6.ResourceServer.
func (s counting) PlanResourceChange(
	ctx context.Context, req *tfprotov6.PlanResourceChangeRequest,
) (*tfprotov6.PlanResourceChangeResponse, error) {
	if data := dataOf(s.provider); data != nil && isValidated(req) {
		data.Notes.Walks.Planned()
	}
	return s.wholeServer.PlanResourceChange(ctx, req)
}

// isValidated reports whether a validation precedes this plan. None precedes the plan of a destroy, nor the second plan
// of a replacement, which has no prior state but the private state of the first.
func isValidated(req *tfprotov6.PlanResourceChangeRequest) bool {
	return !isNull(req.ProposedNewState) && (!isNull(req.PriorState) || len(req.PriorPrivate) == 0)
}

// isNull reports whether a value is null without decoding it, by the single byte that means nil in MessagePack.
func isNull(value *tfprotov6.DynamicValue) bool {
	return value == nil || len(value.MsgPack) == 1 && value.MsgPack[0] == 0xc0 ||
		len(value.MsgPack) == 0 && string(value.JSON) == "null"
}
