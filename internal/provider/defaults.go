package provider

import (
	"context"

	"github.com/hashicorp/terraform-plugin-framework/attr"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/defaults"
	"github.com/hashicorp/terraform-plugin-go/tftypes"
)

// attributeDefault is the default of an attribute, and where it is in the object.
type attributeDefault struct {
	path  *tftypes.AttributePath
	value tftypes.Value
}

// schemaDefaults returns all defaults of a schema. It is not ok if there is one
// that it cannot determine: one of another type, or within a list.
func schemaDefaults(ctx context.Context, s schema.Schema) ([]attributeDefault, bool) {
	root := tftypes.NewAttributePath()
	found, ok := attributeDefaults(ctx, root, s.Attributes)
	for name, block := range s.Blocks {
		var more []attributeDefault
		told := false
		switch b := block.(type) {
		case schema.SingleNestedBlock:
			more, told = attributeDefaults(ctx, root.WithAttributeName(name), b.Attributes)
			told = told && len(b.Blocks) == 0
		case schema.ListNestedBlock:
			more, told = attributeDefaults(ctx, root.WithAttributeName(name), b.NestedObject.Attributes)
			told = told && len(b.NestedObject.Blocks) == 0 && len(more) == 0
		}
		found, ok = append(found, more...), ok && told
	}
	return found, ok
}

func attributeDefaults(ctx context.Context, parent *tftypes.AttributePath, attributes map[string]schema.Attribute) (found []attributeDefault, ok bool) {
	for name, attribute := range attributes {
		value, ok := defaultOf(ctx, attribute)
		if !ok {
			return nil, false
		}
		if value == nil {
			continue
		}
		raw, err := value.ToTerraformValue(ctx)
		if err != nil {
			return nil, false
		}
		found = append(found, attributeDefault{parent.WithAttributeName(name), raw})
	}
	return found, true
}

// defaultOf returns the default of one attribute, or nil where it has none.
func defaultOf(ctx context.Context, attribute schema.Attribute) (value attr.Value, ok bool) {
	switch a := attribute.(type) {
	case schema.BoolAttribute:
		if a.Default == nil {
			return nil, true
		}
		var resp defaults.BoolResponse
		a.Default.DefaultBool(ctx, defaults.BoolRequest{}, &resp)
		return resp.PlanValue, !resp.Diagnostics.HasError()
	case schema.StringAttribute:
		if a.Default == nil {
			return nil, true
		}
		var resp defaults.StringResponse
		a.Default.DefaultString(ctx, defaults.StringRequest{}, &resp)
		return resp.PlanValue, !resp.Diagnostics.HasError()
	case schema.Int64Attribute:
		return nil, a.Default == nil
	case schema.ListAttribute:
		return nil, a.Default == nil
	case schema.ListNestedAttribute:
		within, told := attributeDefaults(ctx, tftypes.NewAttributePath(), a.NestedObject.Attributes)
		return nil, a.Default == nil && told && len(within) == 0
	case schema.MapAttribute:
		return nil, a.Default == nil
	}
	return nil, false
}
