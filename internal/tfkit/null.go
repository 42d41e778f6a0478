package tfkit

import "github.com/hashicorp/terraform-plugin-framework/attr"

// Settled returns the planned value where it is known, and the reported one where
// it is known after apply. A provider may not change a planned value; the next
// refresh shows where the service differs.
func Settled[T attr.Value](planned, reported T) T {
	if planned.IsUnknown() {
		return reported
	}
	return planned
}

// Given reports whether a value is set and known.
func Given(value attr.Value) bool {
	return !value.IsNull() && !value.IsUnknown()
}
