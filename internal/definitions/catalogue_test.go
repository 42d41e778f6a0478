package definitions_test

import (
	"context"
	"errors"
	"testing"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/cloudserver"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/definitions"
)

// countingAPI answers with its definitions, or fails.
type countingAPI struct {
	calls int
	fails error
}

func (a *countingAPI) Definitions(context.Context) (*cloudserver.Definitions, error) {
	a.calls++
	return &cloudserver.Definitions{Distributions: []string{"bookworm"}}, a.fails
}

// What is shared and for how long a failure counts is package memo's.
func TestCatalogueAsksOnce(t *testing.T) {
	t.Parallel()
	down := errors.New("out of reach")
	for _, fails := range []error{nil, down} {
		api := &countingAPI{fails: fails}
		catalogue := definitions.NewCatalogue(api)
		for range 10 {
			if got, err := catalogue.Get(t.Context()); !errors.Is(err, fails) || err == nil && len(got.Distributions) != 1 {
				t.Errorf("Get: %v, %v", got, err)
			}
		}
		if api.calls != 1 {
			t.Errorf("asked %d times, want once", api.calls)
		}
	}
}
