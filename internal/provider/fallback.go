package provider

import (
	"context"

	"github.com/hashicorp/terraform-plugin-framework/attr"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/defaults"
	"github.com/hashicorp/terraform-plugin-go/tftypes"
)

// fallback is the default of an attribute, and where it is in the object.
type fallback struct {
	path  *tftypes.AttributePath
	value tftypes.Value
}

// schemaFallbacks returns all defaults of a schema. It is not ok if there is one
// that it cannot determine: one of another type, or within a list.
func schemaFallbacks(ctx context.Context, s schema.Schema) ([]fallback, bool) {
	root := tftypes.NewAttributePath()
	found, ok := attributeFallbacks(ctx, root, s.Attributes)
	for name, block := range s.Blocks {
		var more []fallback
		told := false
		switch b := block.(type) {
		case schema.SingleNestedBlock:
			more, told = attributeFallbacks(ctx, root.WithAttributeName(name), b.Attributes)
			told = told && len(b.Blocks) == 0
		case schema.ListNestedBlock:
			more, told = attributeFallbacks(ctx, root.WithAttributeName(name), b.NestedObject.Attributes)
			told = told && len(b.NestedObject.Blocks) == 0 && len(more) == 0
		}
		found, ok = append(found, more...), ok && told
	}
	return found, ok
}

func attributeFallbacks(ctx context.Context, parent *tftypes.AttributePath, attributes map[string]schema.Attribute) (found []fallback, ok bool) {
	for name, attribute := range attributes {
		value, ok := attributeFallback(ctx, attribute)
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
		found = append(found, fallback{parent.WithAttributeName(name), raw})
	}
	return found, true
}

// attributeFallback returns the default of one attribute, or nil where it has none.
func attributeFallback(ctx context.Context, attribute schema.Attribute) (value attr.Value, ok bool) {
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
		within, told := attributeFallbacks(ctx, tftypes.NewAttributePath(), a.NestedObject.Attributes)
		return nil, a.Default == nil && told && len(within) == 0
	case schema.MapAttribute:
		return nil, a.Default == nil
	}
	return nil, false
}
