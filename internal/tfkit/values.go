package tfkit

import (
	"context"

	"github.com/hashicorp/terraform-plugin-framework/attr"
	"github.com/hashicorp/terraform-plugin-framework/datasource/schema"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/planmodifier"
	"github.com/hashicorp/terraform-plugin-framework/schema/validator"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/cloudserver"
)

// PlannedOr returns the planned value if it is known, otherwise the reported one. A provider must not change a planned
// value; the next refresh shows where the service differs.
func PlannedOr[T attr.Value](planned, reported T) T {
	if planned.IsUnknown() {
		return reported
	}
	return planned
}

// Given reports whether a value is set and known.
func Given(value attr.Value) bool {
	return !value.IsNull() && !value.IsUnknown()
}

// IDOrNull returns null for 0, which the service never uses as an ID.
func IDOrNull(id int64) types.String {
	if id == 0 {
		return types.StringNull()
	}
	return types.StringValue(cloudserver.IDText(id))
}

// StringOrNull returns null for "".
func StringOrNull(text string) types.String {
	if text == "" {
		return types.StringNull()
	}
	return types.StringValue(text)
}

// KeepSpelling is a plan modifier that keeps the state's value if the configuration spells the same value differently.
// Semantic equality of a custom type would not do, because it does not apply to plans.
type KeepSpelling struct {
	Same func(a, b string) bool
}

var _ planmodifier.String = KeepSpelling{}

// Description describes the effect.
func (KeepSpelling) Description(context.Context) string { return "another spelling is no change" }

// MarkdownDescription describes the effect.
func (k KeepSpelling) MarkdownDescription(ctx context.Context) string { return k.Description(ctx) }

// PlanModifyString plans the state's value if it is the same.
func (k KeepSpelling) PlanModifyString(
	_ context.Context, req planmodifier.StringRequest, resp *planmodifier.StringResponse,
) {
	if Given(req.StateValue) && Given(req.PlanValue) &&
		k.Same(req.StateValue.ValueString(), req.PlanValue.ValueString()) {
		resp.PlanValue = req.StateValue
	}
}

// LookedUpBy returns an argument by which a data source finds its object. It is computed if another argument is
// configured.
func LookedUpBy(description string) schema.StringAttribute {
	return schema.StringAttribute{
		MarkdownDescription: description, Optional: true, Computed: true,
		Validators: []validator.String{NotEmpty, PathName},
	}
}

// LookedUpByID is LookedUpBy for the numeric ID of an object, which can also be found by its name. noun names it: "a
// group".
func LookedUpByID(description, noun string) schema.StringAttribute {
	attribute := LookedUpBy(description)
	attribute.Validators = []validator.String{NumericID("; to find " + noun + " by its name, use name")}
	return attribute
}

// IDOf returns the numeric ID in a value of a state or configuration, or 0 if there is none.
func IDOf(value types.String) int64 {
	id, err := cloudserver.ParseID(value.ValueString())
	if err != nil {
		return 0
	}
	return id
}
