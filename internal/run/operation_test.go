package run_test

import (
	"context"
	"errors"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/progress"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/run"
)

// A wait for a name is reported. Its error uses the same words, and unwraps to the refusal.
func TestAwaitNameIsReported(t *testing.T) {
	t.Parallel()
	refused := errors.New("the name is taken by virtual machine 7")
	for name, test := range map[string]struct {
		interrupted bool
		want        string
	}{
		"gives up":    {false, `waited 46s for the name "web1" to become free: gave up; last seen: the name is taken by virtual machine 7`},
		"interrupted": {true, `waited 35s for the name "web1" to become free: interrupted; last seen: the name is taken by virtual machine 7`},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				var all run.Operations
				other := all.Begin()
				time.AfterFunc(40500*time.Millisecond, other.End)
				ctx, interrupt := context.WithCancel(t.Context())
				if test.interrupted {
					time.AfterFunc(35*time.Second, interrupt)
				}
				defer interrupt()
				var reported []string
				ctx = progress.NewContext(ctx, "", func(text string) { reported = append(reported, text) })
				err := all.Begin().AwaitName(ctx, "web1", refused, func(err error) bool { return errors.Is(err, refused) }, func() error { return refused })
				if err == nil || err.Error() != test.want || !errors.Is(err, refused) {
					t.Errorf("got %v, want %s", err, test.want)
				}
				if want := `waiting for the name "web1" to become free, 30s so far; last seen: the name is taken by virtual machine 7`; !slices.Equal(reported, []string{want}) {
					t.Errorf("reported %q", reported)
				}
			})
		})
	}
}

// One answer is no proof, also late in an operation: there has been no news for long.
func TestAwaitLateInAnOperation(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		var all run.Operations
		operation := all.Begin()
		time.Sleep(10 * time.Minute)
		refused := errors.New("another machine has the name")
		free := time.Now().Add(3 * time.Second)
		err := operation.AwaitName(t.Context(), "web1", refused, func(err error) bool { return err != nil }, func() error {
			if time.Now().Before(free) {
				return refused
			}
			return nil
		})
		if err != nil {
			t.Error(err)
		}
	})
}
