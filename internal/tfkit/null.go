package tfkit

import (
	"github.com/hashicorp/terraform-plugin-framework/attr"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/cloudserver"
)

// PlannedOr returns the planned value where it is known, and the reported one where
// it is known after apply. A provider may not change a planned value; the next
// refresh shows where the service differs.
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

// NullIfUnknown returns null for what nobody reported.
func NullIfUnknown(value types.String) types.String {
	if value.IsUnknown() {
		return types.StringNull()
	}
	return value
}
