package definitions_test

import (
	"context"
	"errors"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/cloudserver"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/definitions"
)

// slowAPI answers after a second, as told.
type slowAPI struct {
	calls  atomic.Int32
	answer func(call int32) (*cloudserver.Definitions, error)
}

func (a *slowAPI) Definitions(ctx context.Context) (*cloudserver.Definitions, error) {
	call := a.calls.Add(1)
	select {
	case <-ctx.Done():
		return nil, ctx.Err()
	case <-time.After(time.Second):
		return a.answer(call)
	}
}

func TestCatalogueAsksOnce(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		api := &slowAPI{answer: func(int32) (*cloudserver.Definitions, error) {
			return &cloudserver.Definitions{Distributions: []string{"bookworm"}}, nil
		}}
		catalogue := definitions.NewCatalogue(api)
		var callers sync.WaitGroup
		for range 1000 {
			callers.Go(func() {
				if got, err := catalogue.Get(t.Context()); err != nil || len(got.Distributions) != 1 {
					t.Errorf("Get: %v, %v", got, err)
				}
			})
		}
		callers.Wait()
		if calls := api.calls.Load(); calls != 1 {
			t.Errorf("asked %d times, want once", calls)
		}
	})
}

func TestCatalogueOutlivesACancelledCaller(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		api := &slowAPI{answer: func(int32) (*cloudserver.Definitions, error) { return &cloudserver.Definitions{}, nil }}
		catalogue := definitions.NewCatalogue(api)
		hasty, cancel := context.WithTimeout(t.Context(), time.Millisecond)
		defer cancel()
		if _, err := catalogue.Get(hasty); !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("the hasty caller got %v", err)
		}
		if _, err := catalogue.Get(t.Context()); err != nil {
			t.Errorf("the patient caller got %v", err)
		}
		if calls := api.calls.Load(); calls != 1 {
			t.Errorf("asked %d times, want once", calls)
		}
	})
}

func TestCatalogueRemembersAFailureForAMinute(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		down := errors.New("out of reach")
		api := &slowAPI{answer: func(call int32) (*cloudserver.Definitions, error) {
			if call == 1 {
				return nil, down
			}
			return &cloudserver.Definitions{}, nil
		}}
		catalogue := definitions.NewCatalogue(api)
		for range 10 {
			if _, err := catalogue.Get(t.Context()); !errors.Is(err, down) {
				t.Errorf("Get: %v, want the failure", err)
			}
		}
		if calls := api.calls.Load(); calls != 1 {
			t.Errorf("asked %d times within the minute, want once", calls)
		}
		time.Sleep(time.Minute)
		if _, err := catalogue.Get(t.Context()); err != nil {
			t.Errorf("Get a minute later: %v", err)
		}
	})
}
