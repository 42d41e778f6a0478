package cloudserver

import (
	"context"
	"net/http"
	"net/url"
)

// list makes a call that an array is the answer to. The service has been seen
// to answer with a single object instead, which is a list of one (api.md §5).
func list[T any](ctx context.Context, c *Client, path []string, query url.Values) ([]T, error) {
	answer, err := c.do(ctx, call{method: http.MethodGet, path: path, query: query})
	if err != nil {
		return nil, err
	}
	if kindOf(answer.body) == "an object" {
		var one T
		if err := answer.decode(&one); err != nil {
			return nil, err
		}
		return []T{one}, nil
	}
	elements := []T{}
	if err := answer.decode(&elements); err != nil {
		return nil, err
	}
	return elements, nil
}
