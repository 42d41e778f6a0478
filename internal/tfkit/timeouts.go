package tfkit

import (
	"context"
	"errors"
	"fmt"
	"regexp"
	"sync"
	"time"

	"github.com/hashicorp/terraform-plugin-framework/attr"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/cloudserver"
)

// LongestDuration is the longest duration in whole hours.
const LongestDuration = "2562047h"

// ParseDuration parses a positive duration, such as "90s" or "2m".
func ParseDuration(text string) (time.Duration, error) {
	duration, err := time.ParseDuration(text)
	if err != nil && durationShape().MatchString(text) {
		return 0, fmt.Errorf("%q is too long: the longest duration is %s", text, LongestDuration)
	}
	if err != nil || duration <= 0 { // replaces the error of the parser, which does not help
		return 0, fmt.Errorf("%q must be a positive duration: a number and a unit, such as 90s, 2m or 1h30m", text)
	}
	return duration, nil
}

// durationShape matches durations, even those that exceed the longest possible one.
var durationShape = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^(\d+(\.\d+)?(ns|us|µs|ms|s|m|h))+$`)
})

// PositiveDuration accepts what ParseDuration accepts.
var PositiveDuration = TextOf("a positive duration, such as 90s, 2m or 1h30m", "Invalid duration", func(text string) string {
	if _, err := ParseDuration(text); err != nil {
		return err.Error() + "."
	}
	return ""
})

// Longer returns the advice to raise a timeout, such as timeouts.update, if the error is that the operation ran out of
// time, and otherwise "".
func Longer(err error, timeout string) string {
	call, ok := errors.AsType[*cloudserver.TransportError](err)
	if !errors.Is(err, context.DeadlineExceeded) || ok && !call.TimedOut() {
		return ""
	}
	return "To wait longer, raise " + timeout + "."
}

// Timeout returns the duration with this name in a timeouts block, or the default. A state may contain a duration that
// is not positive; then the default is used, because every operation would fail with it.
func Timeout(
	timeouts interface{ Attributes() map[string]attr.Value }, name string, byDefault time.Duration,
) time.Duration {
	text, _ := timeouts.Attributes()[name].(types.String)
	if duration, err := ParseDuration(text.ValueString()); err == nil {
		return duration
	}
	return byDefault
}
