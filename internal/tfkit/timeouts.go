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

// ParseDuration reads a positive duration, such as "90s" or "2m".
func ParseDuration(text string) (time.Duration, error) {
	duration, err := time.ParseDuration(text)
	if err != nil && durationShape().MatchString(text) {
		return 0, fmt.Errorf("%q is too long: the longest duration is 2562047h", text)
	}
	if err != nil || duration <= 0 { // the words of the parser do not help
		return 0, fmt.Errorf("%q must be a positive duration: a number and a unit, such as 90s, 2m or 1h30m", text)
	}
	return duration, nil
}

// durationShape matches durations, also those that are too long to be one.
var durationShape = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^(\d+(\.\d+)?(ns|us|µs|ms|s|m|h))+$`)
})

// PositiveDuration accepts what ParseDuration reads.
var PositiveDuration = TextOf("a positive duration, such as 90s, 2m or 1h30m", "Invalid duration", func(text string) string {
	if _, err := ParseDuration(text); err != nil {
		return err.Error() + "."
	}
	return ""
})

// Longer returns the advice to raise a timeout, such as timeouts.update, where the
// end of the operation's time is what failed it, and otherwise "".
func Longer(err error, timeout string) string {
	call, ok := errors.AsType[*cloudserver.TransportError](err)
	if !errors.Is(err, context.DeadlineExceeded) || ok && !call.TimedOut() {
		return ""
	}
	return "To wait longer, raise " + timeout + "."
}

// Timeout returns the duration that a block timeouts has under the name, or the
// default where it has none. A state may hold one that is not positive: then the
// default counts, because with it every operation would fail for ever.
func Timeout(timeouts interface{ Attributes() map[string]attr.Value }, name string, byDefault time.Duration) time.Duration {
	text, _ := timeouts.Attributes()[name].(types.String)
	if duration, err := ParseDuration(text.ValueString()); err == nil {
		return duration
	}
	return byDefault
}
