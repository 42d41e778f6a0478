package provider

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/hashicorp/terraform-plugin-go/tftypes"
)

// reword rewords the framework's own findings, which refer users to the developers of the provider: a required argument
// that is null, and a read-only one that is configured. Schema and configuration tell which they are. What a validator of
// ours says of such an argument is left out: it is the same mistake.
func (s answering) reword(
	ctx context.Context, kind schemasOf, typeName string, config *tfprotov6.DynamicValue, diags []*tfprotov6.Diagnostic,
) []*tfprotov6.Diagnostic {
	if !slices.ContainsFunc(diags, isError) {
		return diags
	}
	schema := s.schema(ctx, kind, typeName)
	if schema == nil || config == nil {
		return diags
	}
	value, err := config.Unmarshal(schema.ValueType())
	if err != nil {
		return diags
	}
	reworded := map[string]bool{}
	return slices.DeleteFunc(diags, func(d *tfprotov6.Diagnostic) bool {
		if !isError(d) || d.Attribute == nil || !reword(d, schema.Block, value) {
			return false
		}
		again := reworded[d.Attribute.String()]
		reworded[d.Attribute.String()] = true
		return again
	})
}

// reword rewords an error about an attribute that is required and null, or read-only and configured. It reports whether
// the error is about one.
func reword(d *tfprotov6.Diagnostic, block *tfprotov6.SchemaBlock, value tftypes.Value) bool {
	found, _, err := tftypes.WalkAttributePath(value, d.Attribute)
	configured, ok := found.(tftypes.Value)
	attribute := attributeAt(block, d.Attribute.Steps())
	if err != nil || !ok || attribute == nil {
		return false
	}
	at := argument(d.Attribute)
	switch {
	case attribute.Required && configured.IsNull():
		d.Summary = "Missing " + attribute.Name
		d.Detail = at + " is required, and it is null. Set it, or give the variable or the expression that it comes from a value."
		if strings.HasSuffix(attribute.Name, "_id") || attribute.Name == "address" { // it refers to another object
			d.Detail += " If the object behind it was moved or renamed, correct the expression. Only if that object is lost, remove what refers to it."
		}
	case attribute.Computed && !attribute.Optional && !configured.IsNull():
		d.Summary = "Cannot set " + attribute.Name
		d.Detail = at + " is read-only, because the provider sets it. Remove it from the configuration."
	default:
		return false
	}
	return true
}

// attributeAt returns the attribute of a block, or of a block in it, that a path leads to, or nil.
func attributeAt(block *tfprotov6.SchemaBlock, steps []tftypes.AttributePathStep) *tfprotov6.SchemaAttribute {
	for i, step := range steps {
		name, ok := step.(tftypes.AttributeName)
		if !ok { // the index of a block
			continue
		}
		if nested := slices.IndexFunc(block.BlockTypes, func(b *tfprotov6.SchemaNestedBlock) bool { return b.TypeName == string(name) }); nested >= 0 {
			block = block.BlockTypes[nested].Block
			continue
		}
		found := slices.IndexFunc(block.Attributes, func(a *tfprotov6.SchemaAttribute) bool { return a.Name == string(name) })
		if found < 0 || i != len(steps)-1 {
			return nil
		}
		return block.Attributes[found]
	}
	return nil
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

// isError reports whether a diagnostic is an error.
func isError(d *tfprotov6.Diagnostic) bool { return d.Severity == tfprotov6.DiagnosticSeverityError }

// refusal returns what a validation of an action finds if it refuses the configuration.
func (s answering) refusal(
	ctx context.Context, typeName string, config *tfprotov6.DynamicValue,
) ([]*tfprotov6.Diagnostic, error) {
	resp, err := s.ValidateActionConfig(ctx, &tfprotov6.ValidateActionConfigRequest{ActionType: typeName, Config: config})
	if err != nil || !slices.ContainsFunc(resp.Diagnostics, isError) {
		return nil, err
	}
	return resp.Diagnostics, nil
}
