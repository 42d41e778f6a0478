package cloudserver

import (
	"context"
	"net/http"
)

// put sends a partial update. It returns the object as the service describes
// it afterwards, or nil if the answer does not say which object it is about. An
// answer for another object than the wanted one is an error.
func put[T any](ctx context.Context, c *Client, path []string, body any, kind string, wanted int64, id func(*T) int64) (*T, error) {
	answer, err := c.do(ctx, call{method: http.MethodPut, path: path, body: body})
	if err != nil {
		return nil, err
	}
	updated, err := optional[T](answer)
	if err != nil || id(&updated) == 0 {
		return nil, err
	}
	if err := answer.checkID(kind, id(&updated), wanted); err != nil {
		return nil, err
	}
	return &updated, nil
}
