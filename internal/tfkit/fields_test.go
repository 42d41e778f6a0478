package tfkit_test

import (
	"context"
	"testing"

	"github.com/hashicorp/terraform-plugin-framework/attr"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema"
	"github.com/hashicorp/terraform-plugin-framework/tfsdk"
	"github.com/hashicorp/terraform-plugin-framework/types"
	"github.com/hashicorp/terraform-plugin-go/tftypes"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/tfkit"
)

type embedded struct {
	Name types.String `tfsdk:"name"`
}

type tagged struct {
	embedded

	Size types.Int64  `tfsdk:"size"`
	On   types.Bool   `tfsdk:"on"`
	List types.List   `tfsdk:"list"`
	Sub  types.Object `tfsdk:"sub"`
}

var taggedSchema = schema.Schema{
	Attributes: map[string]schema.Attribute{
		"name": schema.StringAttribute{}, "size": schema.Int64Attribute{CustomType: tfkit.Int64Type{}}, "on": schema.BoolAttribute{},
		"list": schema.ListAttribute{ElementType: types.StringType},
	},
	Blocks: map[string]schema.Block{
		"sub": schema.SingleNestedBlock{Attributes: map[string]schema.Attribute{"version": schema.StringAttribute{}}},
	},
}

// TestFieldsAsTheFramework compares the results with those of the framework's Get and Set, for known, null and unknown
// values.
func TestFieldsAsTheFramework(t *testing.T) {
	t.Parallel()
	ctx := t.Context()
	kinds := taggedSchema.Type().(attr.TypeWithAttributeTypes).AttributeTypes() //nolint:forcetypeassert // it is an object
	object := taggedSchema.Type().TerraformType(ctx).(tftypes.Object)           //nolint:forcetypeassert // it is an object
	known := map[string]tftypes.Value{
		"name": tftypes.NewValue(tftypes.String, "web1"),
		"size": tftypes.NewValue(tftypes.Number, 25600),
		"on":   tftypes.NewValue(tftypes.Bool, true),
		"list": tftypes.NewValue(object.AttributeTypes["list"], []tftypes.Value{tftypes.NewValue(tftypes.String, "a")}),
		"sub": tftypes.NewValue(object.AttributeTypes["sub"], map[string]tftypes.Value{
			"version": tftypes.NewValue(tftypes.String, tftypes.UnknownValue),
		}),
	}
	for name, of := range map[string]func(tftypes.Type) any{
		"null": func(tftypes.Type) any { return nil }, "unknown": func(tftypes.Type) any { return tftypes.UnknownValue }, "known": nil,
	} {
		values := map[string]tftypes.Value{}
		for attribute, value := range known {
			values[attribute] = value
			if of != nil {
				values[attribute] = tftypes.NewValue(value.Type(), of(value.Type()))
			}
		}
		plan := tfsdk.Plan{Schema: taggedSchema, Raw: tftypes.NewValue(object, values)}
		var want, got tagged
		if diags := plan.Get(ctx, &want); diags.HasError() {
			t.Fatal(diags)
		}
		if diags := tfkit.Get(ctx, plan.Raw, kinds, &got); diags.HasError() {
			t.Fatal(diags)
		}
		if got.Name != want.Name || got.Size != want.Size || got.On != want.On || !got.List.Equal(want.List) || !got.Sub.Equal(want.Sub) {
			t.Errorf("%s: got %+v, want %+v", name, got, want)
		}
		raw, diags := tfkit.Raw(ctx, kinds, got)
		if diags.HasError() || !raw.Equal(plan.Raw) {
			t.Errorf("%s: %v: wrote %s, want %s", name, diags, raw, plan.Raw)
		}
		if diags := plan.Set(ctx, want); diags.HasError() || !raw.Equal(plan.Raw) {
			t.Errorf("%s: %v: wrote %s, the framework %s", name, diags, raw, plan.Raw)
		}
	}
}

// TestInvalidNumberAsTheFramework: a fraction is refused with the framework's message.
func TestInvalidNumberAsTheFramework(t *testing.T) {
	t.Parallel()
	kinds := taggedSchema.Type().(attr.TypeWithAttributeTypes).AttributeTypes() //nolint:forcetypeassert // it is an object
	object := taggedSchema.Type().TerraformType(t.Context()).(tftypes.Object)   //nolint:forcetypeassert // it is an object
	values := map[string]tftypes.Value{}
	for name, kind := range object.AttributeTypes {
		values[name] = tftypes.NewValue(kind, nil)
	}
	values["size"] = tftypes.NewValue(tftypes.Number, 25600.5)
	plan := tfsdk.Plan{Schema: taggedSchema, Raw: tftypes.NewValue(object, values)}
	var m tagged
	want, got := plan.Get(t.Context(), &m), tfkit.Get(t.Context(), plan.Raw, kinds, &m)
	if !got.Equal(want) || len(got) != 1 || got[0].Detail() != "size is 25600.5. It must be a whole number." {
		t.Errorf("got %v, the framework %v", got, want)
	}
}

// TestFieldsThatDoNotFit: a mistake in a model is an error, as with the framework, and not a panic.
func TestFieldsThatDoNotFit(t *testing.T) {
	t.Parallel()
	values := map[string]attr.Value{"name": types.StringValue("web1")}
	var other struct {
		Name types.Int64 `tfsdk:"name"`
	}
	var more tagged
	for name, target := range map[string]any{"another type": &other, "more fields": &more} {
		if diags := tfkit.Fill(values, target); !diags.HasError() {
			t.Errorf("%s: no error", name)
		}
	}
	null := tftypes.NewValue(tftypes.Object{AttributeTypes: map[string]tftypes.Type{"name": tftypes.String}}, nil)
	var target embedded
	if diags := tfkit.Get(context.Background(), null, map[string]attr.Type{"name": types.StringType}, &target); !diags.HasError() {
		t.Error("a null object: no error")
	}
	if _, diags := tfkit.Raw(context.Background(), map[string]attr.Type{"name": types.Int64Type}, target); !diags.HasError() {
		t.Error("another type in the schema: no error")
	}
}
