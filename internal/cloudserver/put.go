package cloudserver

import (
	"bytes"
	"context"
	"net/http"
)

// put sends a partial update, and gives the object as the service tells it
// afterwards: nil if it told nothing, or nothing that says which object it is.
func put[T any](ctx context.Context, c *Client, path []string, body any, identified func(*T) bool) (*T, error) {
	answer, err := c.do(ctx, call{method: http.MethodPut, path: path, body: body})
	if err != nil || len(bytes.TrimSpace(answer.body)) == 0 {
		return nil, err
	}
	var updated T
	if err := answer.decode(&updated); err != nil {
		return nil, err
	}
	if !identified(&updated) {
		return nil, nil
	}
	return &updated, nil
}
