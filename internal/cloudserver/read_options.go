package cloudserver

import "net/url"

// ReadOption changes what a read of machines returns.
type ReadOption func(url.Values)

// IncludeDeleted is the [ReadOption] that also returns soft-deleted machines,
// which keep their names and addresses until they are purged.
func IncludeDeleted(query url.Values) { query.Set("include_deleted", "true") }

// WithoutOverview is the [ReadOption] that leaves out discs and network
// interfaces.
func WithoutOverview(query url.Values) { query.Del("view") }

// readQuery returns the query of a read: the overview unless an option says
// otherwise.
func readQuery(options []ReadOption) url.Values {
	query := overview()
	for _, apply := range options {
		apply(query)
	}
	return query
}

// overview returns the query that asks for discs and network interfaces, too.
func overview() url.Values { return url.Values{"view": {"overview"}} }
