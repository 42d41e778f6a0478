package definitions

import (
	"context"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/cloudserver"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/fleet"
)

// API is the part of the client that a catalogue uses (API.md §6).
// *cloudserver.Client implements it.
type API interface {
	// Definitions reads what the platform offers.
	Definitions(ctx context.Context) (*cloudserver.Definitions, error)
}

// Catalogue returns the service's definitions, asked for once in the life of a
// provider process however many machines a plan checks.
type Catalogue struct {
	api         API
	definitions fleet.Memo[*cloudserver.Definitions]
}

// NewCatalogue returns a catalogue that has not asked for anything yet.
func NewCatalogue(api API) *Catalogue {
	return &Catalogue{api: api}
}

// Get returns the definitions. Callers that arrive together share one request, and
// a failure answers for a minute.
func (c *Catalogue) Get(ctx context.Context) (*cloudserver.Definitions, error) {
	return c.definitions.Get(ctx, "", c.api.Definitions)
}
