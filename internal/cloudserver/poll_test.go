package cloudserver_test

import (
	"context"
	"errors"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/cloudserver"
)

// TestPoll checks when a wait looks, and what ends it. It never succeeds without a look that reports success.
func TestPoll(t *testing.T) {
	t.Parallel()
	errLook := errors.New("refused")
	const second = time.Second
	for name, test := range map[string]struct {
		timeout, cancelled time.Duration // 0: never
		doneAt, failsAt    int           // number of the look; 0: none
		looks              []time.Duration
		want               error
		took               time.Duration
	}{
		"done at once":                   {doneAt: 1, looks: milliseconds(100), took: second / 10},
		"the pace":                       {doneAt: 8, looks: milliseconds(100, 300, 700, 1500, 3100, 6100, 9100, 12100), took: 12100 * time.Millisecond},
		"a refusal":                      {failsAt: 2, looks: milliseconds(100, 300), want: errLook, took: 300 * time.Millisecond},
		"out of time":                    {timeout: 5 * second, looks: milliseconds(100, 300, 700, 1500, 3100), want: context.DeadlineExceeded, took: 5 * second},
		"out of time before a look":      {timeout: second / 20, looks: milliseconds(50), want: context.DeadlineExceeded, took: second / 20},
		"out of time, but it is done":    {timeout: second / 20, doneAt: 1, looks: milliseconds(50), took: second / 20},
		"out of time, and it is refused": {timeout: second / 20, failsAt: 1, looks: milliseconds(50), want: errLook, took: second / 20},
		"interrupted":                    {cancelled: 4 * second, looks: milliseconds(100, 300, 700, 1500, 3100), want: context.Canceled, took: 4 * second},
		"interrupted before a look":      {cancelled: second / 20, doneAt: 1, want: context.Canceled, took: second / 20},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				ctx, cancel := context.WithCancel(t.Context())
				defer cancel()
				if test.timeout > 0 {
					ctx, cancel = context.WithTimeout(ctx, test.timeout)
					defer cancel()
				}
				if test.cancelled > 0 {
					time.AfterFunc(test.cancelled, cancel)
				}
				began, looks := time.Now(), []time.Duration(nil)
				err := cloudserver.Poll(ctx, func(look context.Context) (bool, error) {
					looks = append(looks, time.Since(began))
					if look.Err() != nil {
						t.Error("a look with a context that has ended")
					}
					if len(looks) == test.failsAt {
						return false, errLook
					}
					return len(looks) == test.doneAt, nil
				})
				if !errors.Is(err, test.want) || time.Since(began) != test.took || !slices.Equal(looks, test.looks) {
					t.Errorf("%v after %s, looked at %v; want %v after %s, %v", err, time.Since(began), looks, test.want, test.took, test.looks)
				}
			})
		})
	}
}

// milliseconds converts times of looks.
func milliseconds(looks ...int) (times []time.Duration) {
	for _, ms := range looks {
		times = append(times, time.Duration(ms)*time.Millisecond)
	}
	return times
}
