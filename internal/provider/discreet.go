package provider

import (
	"context"
	"fmt"
	"iter"
	"reflect"
	"slices"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/hashicorp/terraform-plugin-go/tftypes"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/cloudserver"
)

// discreet keeps secrets out of what leaves the server. It hides them in every diagnostic and in what actions report, and
// refuses a configuration in which a token, a password or a session stands in a name: Terraform shows and stores names.
type discreet struct{ Server }

// shown hides secrets in the diagnostics of a response.
func shown[T any](resp *T, err error) (*T, error) {
	if err == nil && resp != nil {
		diags, _ := reflect.ValueOf(resp).Elem().FieldByName("Diagnostics").Interface().([]*tfprotov6.Diagnostic)
		hide(diags)
	}
	return resp, err
}

// hide hides secrets in diagnostics.
func hide(diags []*tfprotov6.Diagnostic) {
	for _, d := range diags {
		d.Summary, d.Detail = cloudserver.Hide(d.Summary), cloudserver.Hide(d.Detail)
	}
}

// refused returns an error at each argument of a configuration that contains a credential, except for those that are made
// for secrets. kind selects the schemas of the objects that typeName is one of.
func (s discreet) refused(
	ctx context.Context, kind func(*tfprotov6.GetProviderSchemaResponse) map[string]*tfprotov6.Schema, typeName string, config *tfprotov6.DynamicValue,
) (diags []*tfprotov6.Diagnostic) {
	if config == nil || !cloudserver.HoldsVerbatim(string(config.MsgPack)) && !cloudserver.HoldsVerbatim(string(config.JSON)) {
		return nil
	}
	all, err := s.GetProviderSchema(ctx, &tfprotov6.GetProviderSchemaRequest{})
	if err != nil {
		return nil
	}
	schema := kind(all)[typeName]
	if schema == nil {
		return nil // the server itself refuses the type
	}
	value, err := config.Unmarshal(schema.ValueType())
	if err != nil {
		return nil // and the value
	}
	_ = tftypes.Walk(value, func(at *tftypes.AttributePath, value tftypes.Value) (bool, error) {
		var text string
		if value.IsKnown() && !value.IsNull() && value.Type().Is(tftypes.String) && value.As(&text) == nil &&
			cloudserver.HoldsCredential(text) && !isForSecrets(schema.Block, at.Steps()) {
			diags = append(diags, &tfprotov6.Diagnostic{
				Severity: tfprotov6.DiagnosticSeverityError, Attribute: at, Summary: "Secret in " + argument(at),
				Detail: fmt.Sprintf("%s contains the token, the password or a session that this provider logs in with. "+
					"Terraform shows and stores this argument, so nothing was sent. Correct it.", argument(at)),
			})
		}
		return true, nil
	})
	return diags
}

// isForSecrets reports whether the attribute at a path is sensitive or write-only.
func isForSecrets(block *tfprotov6.SchemaBlock, steps []tftypes.AttributePathStep) bool {
	for i, step := range steps {
		name, ok := step.(tftypes.AttributeName)
		if !ok {
			continue
		}
		for _, a := range block.Attributes {
			if a.Name == string(name) {
				return a.Sensitive || a.WriteOnly
			}
		}
		for _, b := range block.BlockTypes {
			if b.TypeName == string(name) {
				return isForSecrets(b.Block, steps[i+1:])
			}
		}
	}
	return false
}

// The schemas of each kind of object.
func resourceSchemas(all *tfprotov6.GetProviderSchemaResponse) map[string]*tfprotov6.Schema {
	return all.ResourceSchemas
}

func dataSchemas(all *tfprotov6.GetProviderSchemaResponse) map[string]*tfprotov6.Schema {
	return all.DataSourceSchemas
}

func listSchemas(all *tfprotov6.GetProviderSchemaResponse) map[string]*tfprotov6.Schema {
	return all.ListResourceSchemas
}

func ephemeralSchemas(all *tfprotov6.GetProviderSchemaResponse) map[string]*tfprotov6.Schema {
	return all.EphemeralResourceSchemas
}

func actionSchemas(all *tfprotov6.GetProviderSchemaResponse) map[string]*tfprotov6.Schema {
	schemas := map[string]*tfprotov6.Schema{}
	for name, a := range all.ActionSchemas {
		schemas[name] = a.Schema
	}
	return schemas
}

// ValidateProviderConfig implements tfprotov6.ProviderServer.
func (s discreet) ValidateProviderConfig(
	ctx context.Context, req *tfprotov6.ValidateProviderConfigRequest,
) (*tfprotov6.ValidateProviderConfigResponse, error) {
	return shown(s.Server.ValidateProviderConfig(ctx, req))
}

// ConfigureProvider implements tfprotov6.ProviderServer.
func (s discreet) ConfigureProvider(
	ctx context.Context, req *tfprotov6.ConfigureProviderRequest,
) (*tfprotov6.ConfigureProviderResponse, error) {
	return shown(s.Server.ConfigureProvider(ctx, req))
}

// UpgradeResourceState implements tfprotov6.ResourceServer.
func (s discreet) UpgradeResourceState(
	ctx context.Context, req *tfprotov6.UpgradeResourceStateRequest,
) (*tfprotov6.UpgradeResourceStateResponse, error) {
	return shown(s.Server.UpgradeResourceState(ctx, req))
}

// ReadResource implements tfprotov6.ResourceServer.
func (s discreet) ReadResource(
	ctx context.Context, req *tfprotov6.ReadResourceRequest,
) (*tfprotov6.ReadResourceResponse, error) {
	return shown(s.Server.ReadResource(ctx, req))
}

// PlanResourceChange implements tfprotov6.ResourceServer.
func (s discreet) PlanResourceChange(
	ctx context.Context, req *tfprotov6.PlanResourceChangeRequest,
) (*tfprotov6.PlanResourceChangeResponse, error) {
	return shown(s.Server.PlanResourceChange(ctx, req))
}

// ApplyResourceChange implements tfprotov6.ResourceServer.
func (s discreet) ApplyResourceChange(
	ctx context.Context, req *tfprotov6.ApplyResourceChangeRequest,
) (*tfprotov6.ApplyResourceChangeResponse, error) {
	return shown(s.Server.ApplyResourceChange(ctx, req))
}

// ImportResourceState implements tfprotov6.ResourceServer.
func (s discreet) ImportResourceState(
	ctx context.Context, req *tfprotov6.ImportResourceStateRequest,
) (*tfprotov6.ImportResourceStateResponse, error) {
	return shown(s.Server.ImportResourceState(ctx, req))
}

// MoveResourceState implements tfprotov6.ResourceServer.
func (s discreet) MoveResourceState(
	ctx context.Context, req *tfprotov6.MoveResourceStateRequest,
) (*tfprotov6.MoveResourceStateResponse, error) {
	return shown(s.Server.MoveResourceState(ctx, req))
}

// UpgradeResourceIdentity implements tfprotov6.ResourceServer.
func (s discreet) UpgradeResourceIdentity(
	ctx context.Context, req *tfprotov6.UpgradeResourceIdentityRequest,
) (*tfprotov6.UpgradeResourceIdentityResponse, error) {
	return shown(s.Server.UpgradeResourceIdentity(ctx, req))
}

// GenerateResourceConfig implements tfprotov6.ResourceServer.
func (s discreet) GenerateResourceConfig(
	ctx context.Context, req *tfprotov6.GenerateResourceConfigRequest,
) (*tfprotov6.GenerateResourceConfigResponse, error) {
	return shown(s.Server.GenerateResourceConfig(ctx, req))
}

// ReadDataSource implements tfprotov6.DataSourceServer.
func (s discreet) ReadDataSource(
	ctx context.Context, req *tfprotov6.ReadDataSourceRequest,
) (*tfprotov6.ReadDataSourceResponse, error) {
	return shown(s.Server.ReadDataSource(ctx, req))
}

// OpenEphemeralResource implements tfprotov6.EphemeralResourceServer.
func (s discreet) OpenEphemeralResource(
	ctx context.Context, req *tfprotov6.OpenEphemeralResourceRequest,
) (*tfprotov6.OpenEphemeralResourceResponse, error) {
	return shown(s.Server.OpenEphemeralResource(ctx, req))
}

// RenewEphemeralResource implements tfprotov6.EphemeralResourceServer.
func (s discreet) RenewEphemeralResource(
	ctx context.Context, req *tfprotov6.RenewEphemeralResourceRequest,
) (*tfprotov6.RenewEphemeralResourceResponse, error) {
	return shown(s.Server.RenewEphemeralResource(ctx, req))
}

// CloseEphemeralResource implements tfprotov6.EphemeralResourceServer.
func (s discreet) CloseEphemeralResource(
	ctx context.Context, req *tfprotov6.CloseEphemeralResourceRequest,
) (*tfprotov6.CloseEphemeralResourceResponse, error) {
	return shown(s.Server.CloseEphemeralResource(ctx, req))
}

// ValidateResourceConfig implements tfprotov6.ResourceServer.
func (s discreet) ValidateResourceConfig(
	ctx context.Context, req *tfprotov6.ValidateResourceConfigRequest,
) (*tfprotov6.ValidateResourceConfigResponse, error) {
	if diags := s.refused(ctx, resourceSchemas, req.TypeName, req.Config); diags != nil {
		return &tfprotov6.ValidateResourceConfigResponse{Diagnostics: diags}, nil
	}
	return shown(s.Server.ValidateResourceConfig(ctx, req))
}

// ValidateDataResourceConfig implements tfprotov6.DataSourceServer.
func (s discreet) ValidateDataResourceConfig(
	ctx context.Context, req *tfprotov6.ValidateDataResourceConfigRequest,
) (*tfprotov6.ValidateDataResourceConfigResponse, error) {
	if diags := s.refused(ctx, dataSchemas, req.TypeName, req.Config); diags != nil {
		return &tfprotov6.ValidateDataResourceConfigResponse{Diagnostics: diags}, nil
	}
	return shown(s.Server.ValidateDataResourceConfig(ctx, req))
}

// ValidateEphemeralResourceConfig implements tfprotov6.EphemeralResourceServer.
func (s discreet) ValidateEphemeralResourceConfig(
	ctx context.Context, req *tfprotov6.ValidateEphemeralResourceConfigRequest,
) (*tfprotov6.ValidateEphemeralResourceConfigResponse, error) {
	if diags := s.refused(ctx, ephemeralSchemas, req.TypeName, req.Config); diags != nil {
		return &tfprotov6.ValidateEphemeralResourceConfigResponse{Diagnostics: diags}, nil
	}
	return shown(s.Server.ValidateEphemeralResourceConfig(ctx, req))
}

// ValidateListResourceConfig implements tfprotov6.ListResourceServer.
func (s discreet) ValidateListResourceConfig(
	ctx context.Context, req *tfprotov6.ValidateListResourceConfigRequest,
) (*tfprotov6.ValidateListResourceConfigResponse, error) {
	if diags := s.refused(ctx, listSchemas, req.TypeName, req.Config); diags != nil {
		return &tfprotov6.ValidateListResourceConfigResponse{Diagnostics: diags}, nil
	}
	return shown(s.Server.ValidateListResourceConfig(ctx, req))
}

// ValidateActionConfig implements tfprotov6.ActionServer.
func (s discreet) ValidateActionConfig(
	ctx context.Context, req *tfprotov6.ValidateActionConfigRequest,
) (*tfprotov6.ValidateActionConfigResponse, error) {
	if diags := s.refused(ctx, actionSchemas, req.ActionType, req.Config); diags != nil {
		return &tfprotov6.ValidateActionConfigResponse{Diagnostics: diags}, nil
	}
	return shown(s.Server.ValidateActionConfig(ctx, req))
}

// PlanAction implements tfprotov6.ActionServer.
func (s discreet) PlanAction(
	ctx context.Context, req *tfprotov6.PlanActionRequest,
) (*tfprotov6.PlanActionResponse, error) {
	if diags := s.refused(ctx, actionSchemas, req.ActionType, req.Config); diags != nil {
		return &tfprotov6.PlanActionResponse{Diagnostics: diags}, nil
	}
	return shown(s.Server.PlanAction(ctx, req))
}

// InvokeAction implements tfprotov6.ActionServer.
func (s discreet) InvokeAction(
	ctx context.Context, req *tfprotov6.InvokeActionRequest,
) (*tfprotov6.InvokeActionServerStream, error) {
	if diags := s.refused(ctx, actionSchemas, req.ActionType, req.Config); diags != nil {
		events := []tfprotov6.InvokeActionEvent{{Type: tfprotov6.CompletedInvokeActionEventType{Diagnostics: diags}}}
		return &tfprotov6.InvokeActionServerStream{Events: slices.Values(events)}, nil
	}
	stream, err := s.Server.InvokeAction(ctx, req)
	if err == nil {
		stream.Events = mappedSeq(stream.Events, func(event tfprotov6.InvokeActionEvent) tfprotov6.InvokeActionEvent {
			switch is := event.Type.(type) {
			case tfprotov6.ProgressInvokeActionEventType:
				is.Message = cloudserver.Hide(is.Message)
				event.Type = is
			case tfprotov6.CompletedInvokeActionEventType:
				hide(is.Diagnostics)
			}
			return event
		})
	}
	return stream, err
}

// ListResource implements tfprotov6.ListResourceServer.
func (s discreet) ListResource(
	ctx context.Context, req *tfprotov6.ListResourceRequest,
) (*tfprotov6.ListResourceServerStream, error) {
	stream, err := s.Server.ListResource(ctx, req)
	if err == nil {
		stream.Results = mappedSeq(stream.Results, func(result tfprotov6.ListResourceResult) tfprotov6.ListResourceResult {
			hide(result.Diagnostics)
			return result
		})
	}
	return stream, err
}

// CallFunction implements tfprotov6.FunctionServer.
func (s discreet) CallFunction(
	ctx context.Context, req *tfprotov6.CallFunctionRequest,
) (*tfprotov6.CallFunctionResponse, error) {
	resp, err := s.Server.CallFunction(ctx, req)
	if err == nil && resp.Error != nil {
		resp.Error.Text = cloudserver.Hide(resp.Error.Text)
	}
	return resp, err
}

// mappedSeq returns a sequence with each element changed.
func mappedSeq[T any](all iter.Seq[T], change func(T) T) iter.Seq[T] {
	return func(yield func(T) bool) {
		for one := range all {
			if !yield(change(one)) {
				return
			}
		}
	}
}
