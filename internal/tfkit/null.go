package tfkit

import "github.com/hashicorp/terraform-plugin-framework/attr"

// Settled gives the planned value where Terraform promised one, and what the
// service told where the plan said "known after apply". A provider may not
// change a promised value; the next refresh shows where the service differs.
func Settled[T attr.Value](planned, told T) T {
	if planned.IsUnknown() {
		return told
	}
	return planned
}

// Given says whether a value is set and known.
func Given(value attr.Value) bool {
	return !value.IsNull() && !value.IsUnknown()
}
