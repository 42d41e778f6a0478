package definitions

import (
	"context"
	"sync"

	"golang.org/x/sync/singleflight"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/cloudserver"
)

// API is what the catalogue asks of the service; *cloudserver.Client has it.
type API interface {
	Definitions(ctx context.Context) (*cloudserver.Definitions, error)
}

// Catalogue gives the service's definitions (api.md §6), asked for once in the
// life of a provider process however many machines a plan checks.
type Catalogue struct {
	api    API
	flight singleflight.Group

	mu    sync.Mutex
	known *cloudserver.Definitions
}

// NewCatalogue gives a catalogue that has asked for nothing yet.
func NewCatalogue(api API) *Catalogue {
	return &Catalogue{api: api}
}

// Get gives the definitions. Callers that arrive together share one request,
// which goes on when one of them is cancelled; a failure is not remembered.
func (c *Catalogue) Get(ctx context.Context) (*cloudserver.Definitions, error) {
	if known := c.remembered(); known != nil {
		return known, nil
	}
	answer := c.flight.DoChan("", func() (any, error) {
		if known := c.remembered(); known != nil {
			return known, nil
		}
		definitions, err := c.api.Definitions(context.WithoutCancel(ctx))
		if err == nil {
			c.remember(definitions)
		}
		return definitions, err
	})
	select {
	case <-ctx.Done():
		return nil, ctx.Err()
	case result := <-answer:
		if result.Err != nil {
			return nil, result.Err
		}
		return c.remembered(), nil
	}
}

func (c *Catalogue) remembered() *cloudserver.Definitions {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.known
}

func (c *Catalogue) remember(definitions *cloudserver.Definitions) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.known = definitions
}
