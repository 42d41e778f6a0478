// SPDX-License-Identifier: MPL-2.0

package tfkit

import (
	"context"
	"errors"
	"time"

	"github.com/hashicorp/terraform-plugin-framework/attr"
	"github.com/hashicorp/terraform-plugin-framework/types"
)

// PositiveDuration accepts a positive duration, such as 90s or 2m.
var PositiveDuration = Text{
	Accepts: "a positive duration, such as 90s, 2m or 1h30m", Summary: "Invalid duration",
	Valid: func(text string) bool {
		duration, err := time.ParseDuration(text)
		return err == nil && duration > 0
	},
}

// Duration returns the duration in a value of a state or configuration, or the default if there is none.
func Duration(value types.String, byDefault time.Duration) time.Duration {
	if duration, err := time.ParseDuration(value.ValueString()); err == nil && duration > 0 {
		return duration
	}
	return byDefault
}

// Timeout returns the duration with this name in a timeouts block, or the default.
func Timeout(
	timeouts interface{ Attributes() map[string]attr.Value }, name string, byDefault time.Duration,
) time.Duration {
	text, _ := timeouts.Attributes()[name].(types.String)
	return Duration(text, byDefault)
}

// Longer returns the advice to raise a timeout, such as timeouts.update, if the error is that the operation ran out of
// time, and otherwise "".
func Longer(err error, timeout string) string {
	if !errors.Is(err, context.DeadlineExceeded) {
		return ""
	}
	return "To wait longer, raise " + timeout + "."
}
