package provider

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/hashicorp/terraform-plugin-go/tftypes"
)

// validating puts what the framework itself finds wrong with a configuration into the provider's words, and validates
// the configuration of an action when it is planned and invoked. Terraform validates it once, before variables and
// other objects have values.
type validating struct {
	wholeServer
}

// inOurWords rewords the framework's own findings. They refer users to the developers of the provider.
func inOurWords(diags []*tfprotov6.Diagnostic) {
	for _, d := range diags {
		at := argument(d.Attribute)
		name := at[strings.LastIndex(at, ".")+1:]
		switch d.Summary {
		case "Missing Configuration for Required Attribute":
			d.Summary = "Missing " + name
			d.Detail = at + " is required, and it is null. Set it, or give the variable or the expression that it comes from a value. If the object behind it was moved or renamed, correct the expression. Only if that object is lost, remove what refers to it."
		case "Invalid Configuration for Read-Only Attribute":
			d.Summary = "Cannot set " + name
			d.Detail = at + " is read-only, because the provider sets it. Remove it from the configuration."
		}
	}
}

// argument returns a path as a configuration has it, such as disc[0].label.
func argument(at *tftypes.AttributePath) string {
	var text strings.Builder
	for _, step := range at.Steps() {
		switch step := step.(type) {
		case tftypes.AttributeName:
			text.WriteString("." + string(step))
		case tftypes.ElementKeyInt:
			fmt.Fprintf(&text, "[%d]", int64(step))
		}
	}
	return strings.TrimPrefix(text.String(), ".")
}

// ValidateProviderConfig implements tfprotov6.ProviderServer.
func (s validating) ValidateProviderConfig(
	ctx context.Context, req *tfprotov6.ValidateProviderConfigRequest,
) (*tfprotov6.ValidateProviderConfigResponse, error) {
	resp, err := s.wholeServer.ValidateProviderConfig(ctx, req)
	if err == nil {
		inOurWords(resp.Diagnostics)
	}
	return resp, err
}

// ValidateResourceConfig implements tfprotov6.ResourceServer.
func (s validating) ValidateResourceConfig(
	ctx context.Context, req *tfprotov6.ValidateResourceConfigRequest,
) (*tfprotov6.ValidateResourceConfigResponse, error) {
	resp, err := s.wholeServer.ValidateResourceConfig(ctx, req)
	if err == nil {
		inOurWords(resp.Diagnostics)
	}
	return resp, err
}

// ValidateDataResourceConfig implements tfprotov6.DataSourceServer.
func (s validating) ValidateDataResourceConfig(
	ctx context.Context, req *tfprotov6.ValidateDataResourceConfigRequest,
) (*tfprotov6.ValidateDataResourceConfigResponse, error) {
	resp, err := s.wholeServer.ValidateDataResourceConfig(ctx, req)
	if err == nil {
		inOurWords(resp.Diagnostics)
	}
	return resp, err
}

// ValidateEphemeralResourceConfig implements tfprotov6.EphemeralResourceServer.
func (s validating) ValidateEphemeralResourceConfig(
	ctx context.Context, req *tfprotov6.ValidateEphemeralResourceConfigRequest,
) (*tfprotov6.ValidateEphemeralResourceConfigResponse, error) {
	resp, err := s.wholeServer.ValidateEphemeralResourceConfig(ctx, req)
	if err == nil {
		inOurWords(resp.Diagnostics)
	}
	return resp, err
}

// ValidateListResourceConfig implements tfprotov6.ListResourceServer.
func (s validating) ValidateListResourceConfig(
	ctx context.Context, req *tfprotov6.ValidateListResourceConfigRequest,
) (*tfprotov6.ValidateListResourceConfigResponse, error) {
	resp, err := s.wholeServer.ValidateListResourceConfig(ctx, req)
	if err == nil {
		inOurWords(resp.Diagnostics)
	}
	return resp, err
}

// ValidateActionConfig implements tfprotov6.ActionServer.
func (s validating) ValidateActionConfig(
	ctx context.Context, req *tfprotov6.ValidateActionConfigRequest,
) (*tfprotov6.ValidateActionConfigResponse, error) {
	resp, err := s.wholeServer.ValidateActionConfig(ctx, req)
	if err == nil {
		inOurWords(resp.Diagnostics)
	}
	return resp, err
}

// isError reports whether a diagnostic is an error.
func isError(d *tfprotov6.Diagnostic) bool { return d.Severity == tfprotov6.DiagnosticSeverityError }

// refusal returns what a validation of an action finds if it refuses the configuration.
func (s validating) refusal(
	ctx context.Context, typeName string, config *tfprotov6.DynamicValue,
) ([]*tfprotov6.Diagnostic, error) {
	resp, err := s.ValidateActionConfig(ctx, &tfprotov6.ValidateActionConfigRequest{ActionType: typeName, Config: config})
	if err != nil || !slices.ContainsFunc(resp.Diagnostics, isError) {
		return nil, err
	}
	return resp.Diagnostics, nil
}

// PlanAction implements tfprotov6.ActionServer.
func (s validating) PlanAction(
	ctx context.Context, req *tfprotov6.PlanActionRequest,
) (*tfprotov6.PlanActionResponse, error) {
	if diags, err := s.refusal(ctx, req.ActionType, req.Config); err != nil || diags != nil {
		return &tfprotov6.PlanActionResponse{Diagnostics: diags}, err
	}
	return s.wholeServer.PlanAction(ctx, req)
}

// InvokeAction implements tfprotov6.ActionServer.
func (s validating) InvokeAction(
	ctx context.Context, req *tfprotov6.InvokeActionRequest,
) (*tfprotov6.InvokeActionServerStream, error) {
	diags, err := s.refusal(ctx, req.ActionType, req.Config)
	if err != nil {
		return nil, err
	}
	if diags != nil {
		return &tfprotov6.InvokeActionServerStream{Events: func(yield func(tfprotov6.InvokeActionEvent) bool) {
			yield(tfprotov6.InvokeActionEvent{Type: tfprotov6.CompletedInvokeActionEventType{Diagnostics: diags}})
		}}, nil
	}
	return s.wholeServer.InvokeAction(ctx, req)
}
