package provider

import (
	"context"
	"iter"
	"reflect"
	"slices"
	"sync"

	"github.com/hashicorp/terraform-plugin-framework/provider"
	"github.com/hashicorp/terraform-plugin-go/tfprotov6"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/cloudserver"
)

// answering is the top layer, which every answer with diagnostics passes. Secrets are hidden in all of them
// (discreet.go). After the service has held up requests, the next answer to a call that may have sent some says so
// (throttling.go). What the framework refuses is said in the provider's words (validation.go). A configuration with a
// secret in a name is refused, and that of an action is validated again when it is planned and invoked.
type answering struct {
	Server
	provider provider.Provider
	schemas  *schemas
}

// schemas are those of a server, read once: that takes longer than a validation.
type schemas struct {
	once sync.Once
	all  *tfprotov6.GetProviderSchemaResponse // nil: they could not be read
}

// diagnosticsOf returns the diagnostics of a response.
func diagnosticsOf(resp any) *[]*tfprotov6.Diagnostic {
	diags, _ := reflect.ValueOf(resp).Elem().FieldByName("Diagnostics").Addr().Interface().(*[]*tfprotov6.Diagnostic)
	return diags
}

// answered makes a call, and hides secrets in its answer.
func answered[Q, A any](
	ctx context.Context, req *Q, call func(context.Context, *Q) (*A, error),
) (*A, error) {
	resp, err := call(ctx, req)
	if err == nil && resp != nil {
		hide(*diagnosticsOf(resp))
	}
	return resp, err
}

// worked makes a call that may have sent requests.
func worked[Q, A any](
	ctx context.Context, s answering, req *Q, call func(context.Context, *Q) (*A, error),
) (*A, error) {
	return answered(ctx, req, func(ctx context.Context, req *Q) (*A, error) {
		resp, err := call(ctx, req)
		if err == nil {
			s.warn(diagnosticsOf(resp))
		}
		return resp, err
	})
}

// validated makes a call that validates a configuration, unless that has a secret in a name.
func validated[Q, A any](
	ctx context.Context, s answering, kind schemasOf, typeName string, config *tfprotov6.DynamicValue,
	req *Q, call func(context.Context, *Q) (*A, error),
) (*A, error) {
	if diags := s.refused(ctx, kind, typeName, config); diags != nil {
		resp := new(A)
		*diagnosticsOf(resp) = diags
		return resp, nil
	}
	return reworded(ctx, s, kind, typeName, config, req, call)
}

// reworded makes a call that validates a configuration.
func reworded[Q, A any](
	ctx context.Context, s answering, kind schemasOf, typeName string, config *tfprotov6.DynamicValue,
	req *Q, call func(context.Context, *Q) (*A, error),
) (*A, error) {
	return answered(ctx, req, func(ctx context.Context, req *Q) (*A, error) {
		resp, err := call(ctx, req)
		if err == nil {
			diags := diagnosticsOf(resp)
			*diags = s.reword(ctx, kind, typeName, config, *diags)
		}
		return resp, err
	})
}

// schema returns the schema of a type, or nil if there is none.
func (s answering) schema(ctx context.Context, kind schemasOf, typeName string) *tfprotov6.Schema {
	s.schemas.once.Do(func() {
		s.schemas.all, _ = s.GetProviderSchema(context.WithoutCancel(ctx), &tfprotov6.GetProviderSchemaRequest{}) // the call below reports a failure
	})
	if s.schemas.all == nil {
		return nil
	}
	return kind(s.schemas.all)[typeName]
}

// schemasOf selects the schemas of a kind of objects.
type schemasOf func(*tfprotov6.GetProviderSchemaResponse) map[string]*tfprotov6.Schema

func providerSchema(all *tfprotov6.GetProviderSchemaResponse) map[string]*tfprotov6.Schema {
	return map[string]*tfprotov6.Schema{"": all.Provider}
}

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
func (s answering) ValidateProviderConfig(
	ctx context.Context, req *tfprotov6.ValidateProviderConfigRequest,
) (*tfprotov6.ValidateProviderConfigResponse, error) {
	return reworded(ctx, s, providerSchema, "", req.Config, req, s.Server.ValidateProviderConfig) // it has arguments for secrets
}

// ValidateResourceConfig implements tfprotov6.ResourceServer.
func (s answering) ValidateResourceConfig(
	ctx context.Context, req *tfprotov6.ValidateResourceConfigRequest,
) (*tfprotov6.ValidateResourceConfigResponse, error) {
	return validated(ctx, s, resourceSchemas, req.TypeName, req.Config, req, s.Server.ValidateResourceConfig)
}

// ValidateDataResourceConfig implements tfprotov6.DataSourceServer.
func (s answering) ValidateDataResourceConfig(
	ctx context.Context, req *tfprotov6.ValidateDataResourceConfigRequest,
) (*tfprotov6.ValidateDataResourceConfigResponse, error) {
	return validated(ctx, s, dataSchemas, req.TypeName, req.Config, req, s.Server.ValidateDataResourceConfig)
}

// ValidateEphemeralResourceConfig implements tfprotov6.EphemeralResourceServer.
func (s answering) ValidateEphemeralResourceConfig(
	ctx context.Context, req *tfprotov6.ValidateEphemeralResourceConfigRequest,
) (*tfprotov6.ValidateEphemeralResourceConfigResponse, error) {
	return validated(ctx, s, ephemeralSchemas, req.TypeName, req.Config, req, s.Server.ValidateEphemeralResourceConfig)
}

// ValidateListResourceConfig implements tfprotov6.ListResourceServer.
func (s answering) ValidateListResourceConfig(
	ctx context.Context, req *tfprotov6.ValidateListResourceConfigRequest,
) (*tfprotov6.ValidateListResourceConfigResponse, error) {
	return validated(ctx, s, listSchemas, req.TypeName, req.Config, req, s.Server.ValidateListResourceConfig)
}

// ValidateActionConfig implements tfprotov6.ActionServer.
func (s answering) ValidateActionConfig(
	ctx context.Context, req *tfprotov6.ValidateActionConfigRequest,
) (*tfprotov6.ValidateActionConfigResponse, error) {
	return validated(ctx, s, actionSchemas, req.ActionType, req.Config, req, s.Server.ValidateActionConfig)
}

// ConfigureProvider implements tfprotov6.ProviderServer.
func (s answering) ConfigureProvider(
	ctx context.Context, req *tfprotov6.ConfigureProviderRequest,
) (*tfprotov6.ConfigureProviderResponse, error) {
	return answered(ctx, req, s.Server.ConfigureProvider)
}

// UpgradeResourceState implements tfprotov6.ResourceServer.
func (s answering) UpgradeResourceState(
	ctx context.Context, req *tfprotov6.UpgradeResourceStateRequest,
) (*tfprotov6.UpgradeResourceStateResponse, error) {
	return answered(ctx, req, s.Server.UpgradeResourceState)
}

// ReadResource implements tfprotov6.ResourceServer.
func (s answering) ReadResource(
	ctx context.Context, req *tfprotov6.ReadResourceRequest,
) (*tfprotov6.ReadResourceResponse, error) {
	return worked(ctx, s, req, s.Server.ReadResource)
}

// PlanResourceChange implements tfprotov6.ResourceServer.
func (s answering) PlanResourceChange(
	ctx context.Context, req *tfprotov6.PlanResourceChangeRequest,
) (*tfprotov6.PlanResourceChangeResponse, error) {
	return worked(ctx, s, req, s.Server.PlanResourceChange)
}

// ApplyResourceChange implements tfprotov6.ResourceServer.
func (s answering) ApplyResourceChange(
	ctx context.Context, req *tfprotov6.ApplyResourceChangeRequest,
) (*tfprotov6.ApplyResourceChangeResponse, error) {
	return worked(ctx, s, req, s.Server.ApplyResourceChange)
}

// ImportResourceState implements tfprotov6.ResourceServer.
func (s answering) ImportResourceState(
	ctx context.Context, req *tfprotov6.ImportResourceStateRequest,
) (*tfprotov6.ImportResourceStateResponse, error) {
	return worked(ctx, s, req, s.Server.ImportResourceState)
}

// MoveResourceState implements tfprotov6.ResourceServer.
func (s answering) MoveResourceState(
	ctx context.Context, req *tfprotov6.MoveResourceStateRequest,
) (*tfprotov6.MoveResourceStateResponse, error) {
	return answered(ctx, req, refuseMove)
}

// UpgradeResourceIdentity implements tfprotov6.ResourceServer.
func (s answering) UpgradeResourceIdentity(
	ctx context.Context, req *tfprotov6.UpgradeResourceIdentityRequest,
) (*tfprotov6.UpgradeResourceIdentityResponse, error) {
	return answered(ctx, req, s.Server.UpgradeResourceIdentity)
}

// GenerateResourceConfig implements tfprotov6.ResourceServer.
func (s answering) GenerateResourceConfig(
	ctx context.Context, req *tfprotov6.GenerateResourceConfigRequest,
) (*tfprotov6.GenerateResourceConfigResponse, error) {
	return answered(ctx, req, s.Server.GenerateResourceConfig)
}

// ReadDataSource implements tfprotov6.DataSourceServer.
func (s answering) ReadDataSource(
	ctx context.Context, req *tfprotov6.ReadDataSourceRequest,
) (*tfprotov6.ReadDataSourceResponse, error) {
	return worked(ctx, s, req, s.Server.ReadDataSource)
}

// OpenEphemeralResource implements tfprotov6.EphemeralResourceServer.
func (s answering) OpenEphemeralResource(
	ctx context.Context, req *tfprotov6.OpenEphemeralResourceRequest,
) (*tfprotov6.OpenEphemeralResourceResponse, error) {
	return answered(ctx, req, s.Server.OpenEphemeralResource)
}

// RenewEphemeralResource implements tfprotov6.EphemeralResourceServer.
func (s answering) RenewEphemeralResource(
	ctx context.Context, req *tfprotov6.RenewEphemeralResourceRequest,
) (*tfprotov6.RenewEphemeralResourceResponse, error) {
	return answered(ctx, req, s.Server.RenewEphemeralResource)
}

// CloseEphemeralResource implements tfprotov6.EphemeralResourceServer.
func (s answering) CloseEphemeralResource(
	ctx context.Context, req *tfprotov6.CloseEphemeralResourceRequest,
) (*tfprotov6.CloseEphemeralResourceResponse, error) {
	return answered(ctx, req, s.Server.CloseEphemeralResource)
}

// PlanAction implements tfprotov6.ActionServer.
func (s answering) PlanAction(
	ctx context.Context, req *tfprotov6.PlanActionRequest,
) (*tfprotov6.PlanActionResponse, error) {
	if diags, err := s.refusal(ctx, req.ActionType, req.Config); err != nil || diags != nil {
		return &tfprotov6.PlanActionResponse{Diagnostics: diags}, err
	}
	return answered(ctx, req, s.Server.PlanAction)
}

// InvokeAction implements tfprotov6.ActionServer.
func (s answering) InvokeAction(
	ctx context.Context, req *tfprotov6.InvokeActionRequest,
) (*tfprotov6.InvokeActionServerStream, error) {
	diags, err := s.refusal(ctx, req.ActionType, req.Config)
	if err != nil {
		return nil, err
	}
	if diags != nil {
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
func (s answering) ListResource(
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
func (s answering) CallFunction(
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
