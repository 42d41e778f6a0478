package cloudserver

import (
	"context"
	"net/http"
	"net/url"
)

// list makes a call whose answer is an array.
func list[T any](ctx context.Context, c *Client, path []string, query url.Values) ([]T, error) {
	answer, err := c.do(ctx, call{method: http.MethodGet, path: path, query: query})
	if err != nil {
		return nil, err
	}
	return decodeList[T](answer)
}
