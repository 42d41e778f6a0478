package vm

import (
	"github.com/hashicorp/terraform-plugin-framework/attr"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/tfkit"
)

// told gives what the service tells, or else what was known before. Nothing is
// ever left unknown.
func told[T attr.Value](before, now T) T {
	if now.IsNull() && !before.IsUnknown() {
		return before
	}
	return now
}

func nullIfUnknown(value types.String) types.String {
	if value.IsUnknown() {
		return types.StringNull()
	}
	return value
}

// given is the pointer for a request: nil, which is not sent, for what is null
// or unknown.
func given[T any](value attr.Value, pointer *T) *T {
	if !tfkit.Given(value) {
		return nil
	}
	return pointer
}

func int64OrNull(number int64) types.Int64 {
	if number == 0 {
		return types.Int64Null()
	}
	return types.Int64Value(number)
}
