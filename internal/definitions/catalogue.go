package definitions

import (
	"context"
	"sync"
	"time"

	"golang.org/x/sync/singleflight"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/cloudserver"
)

// API is what the catalogue asks of the service; *cloudserver.Client has it.
type API interface {
	// Definitions asks for all that can be chosen.
	Definitions(ctx context.Context) (*cloudserver.Definitions, error)
}

// keepFailure is how long a failure answers further callers: a plan over a
// thousand machines asks a service that is out of reach once, not a thousand
// times.
const keepFailure = time.Minute

// Catalogue gives the service's definitions (api.md §6), asked for once in the
// life of a provider process however many machines a plan checks.
type Catalogue struct {
	api    API
	flight singleflight.Group

	mu     sync.Mutex
	known  *cloudserver.Definitions
	err    error
	failed time.Time
}

// NewCatalogue gives a catalogue that has asked for nothing yet.
func NewCatalogue(api API) *Catalogue {
	return &Catalogue{api: api}
}

// Get gives the definitions. Callers that arrive together share one request,
// which goes on when one of them is cancelled.
func (c *Catalogue) Get(ctx context.Context) (*cloudserver.Definitions, error) {
	if known, err := c.remembered(); known != nil || err != nil {
		return known, err
	}
	answer := c.flight.DoChan("", func() (any, error) {
		if known, err := c.remembered(); known != nil || err != nil {
			return known, err
		}
		return c.remember(c.api.Definitions(context.WithoutCancel(ctx)))
	})
	select {
	case <-ctx.Done():
		return nil, ctx.Err()
	case result := <-answer:
		known, _ := result.Val.(*cloudserver.Definitions)
		return known, result.Err
	}
}

func (c *Catalogue) remembered() (*cloudserver.Definitions, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.err != nil && time.Since(c.failed) < keepFailure {
		return nil, c.err
	}
	return c.known, nil
}

func (c *Catalogue) remember(definitions *cloudserver.Definitions, err error) (*cloudserver.Definitions, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.known, c.err, c.failed = definitions, err, time.Now()
	return definitions, err
}
