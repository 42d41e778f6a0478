// SPDX-License-Identifier: MPL-2.0

package tfkit

import (
	"context"
	"fmt"
	"reflect"
	"strings"

	"github.com/hashicorp/terraform-plugin-framework/attr"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/planmodifier"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/cloudserver"
)

// Given reports whether a value is set and known.
func Given(value attr.Value) bool { return !value.IsNull() && !value.IsUnknown() }

// PlannedOr returns the planned value if it is known, otherwise the reported one. A provider must not change a planned
// value; the next refresh shows where the service differs.
func PlannedOr[T attr.Value](planned, reported T) T {
	if planned.IsUnknown() {
		return reported
	}
	return planned
}

// IsOther reports whether a planned value differs from that of the state. An unknown one does if it may be new.
func IsOther(planned, state attr.Value, mayBeNew bool) bool {
	return !planned.Equal(state) && (mayBeNew || !planned.IsUnknown())
}

// IDOrNull returns null for 0, which the service never uses as an ID.
func IDOrNull(id int64) types.String {
	if id == 0 {
		return types.StringNull()
	}
	return types.StringValue(cloudserver.IDText(id))
}

// IDOf returns the numeric ID in a value of a state or configuration, or 0 if there is none.
func IDOf(value types.String) int64 {
	id, err := cloudserver.ParseID(value.ValueString())
	if err != nil {
		return 0
	}
	return id
}

// StringOrNull returns null for "".
func StringOrNull(text string) types.String {
	if text == "" {
		return types.StringNull()
	}
	return types.StringValue(text)
}

// FillUnknown completes a planned struct of attr.Values: unknown values are replaced by those that the service reported,
// and planned values stay.
func FillUnknown[T any](planned *T, reported T) {
	takeFields(planned, reported, func(planned, _ attr.Value) bool { return planned.IsUnknown() })
}

// KeepUnreported fills the values of a struct that the service did not report with those from before.
func KeepUnreported[T any](reported *T, before T) {
	takeFields(reported, before, func(reported, before attr.Value) bool { return reported.IsNull() && !before.IsUnknown() })
}

// takeFields sets the fields of target for which take reports true to those of source.
func takeFields[T any](target *T, source T, take func(target, source attr.Value) bool) {
	to, from := reflect.ValueOf(target).Elem(), reflect.ValueOf(source)
	for i := range to.NumField() {
		value, ok := to.Field(i).Interface().(attr.Value)
		other, _ := from.Field(i).Interface().(attr.Value)
		if ok && take(value, other) {
			to.Field(i).Set(from.Field(i))
		}
	}
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

// Quoted returns the names in quotes, separated by commas.
func Quoted(names []string) string {
	quoted := make([]string, len(names))
	for i, name := range names {
		quoted[i] = fmt.Sprintf("%q", name)
	}
	return strings.Join(quoted, ", ")
}
