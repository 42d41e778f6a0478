package provider

import (
	"context"
	"fmt"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/hashicorp/terraform-plugin-go/tftypes"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/cloudserver"
)

// hide hides secrets in diagnostics.
func hide(diags []*tfprotov6.Diagnostic) {
	for _, d := range diags {
		d.Summary, d.Detail = cloudserver.Hide(d.Summary), cloudserver.Hide(d.Detail)
	}
}

// refused returns an error at each argument of a configuration that contains a credential, except for those that are made
// for secrets: Terraform shows and stores names.
func (s answering) refused(ctx context.Context, kind schemasOf, typeName string, config *tfprotov6.DynamicValue) (diags []*tfprotov6.Diagnostic) {
	if config == nil || !cloudserver.MayHoldCredential(string(config.MsgPack)) && !cloudserver.MayHoldCredential(string(config.JSON)) {
		return nil
	}
	schema := s.schema(ctx, kind, typeName)
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
