package cloudserver

import (
	"context"
	"encoding/json"
	"net/http"
	"net/url"
)

// list makes a call whose answer is an array. The service has been seen to
// answer with a single object instead, which is a list of one (API.md §5).
func list[T any](ctx context.Context, c *Client, path []string, query url.Values) ([]T, error) {
	answer, err := c.do(ctx, call{method: http.MethodGet, path: path, query: query})
	if err != nil {
		return nil, err
	}
	var list []T
	err = answer.decodeElements(func(elements []json.RawMessage) error {
		list = make([]T, len(elements))
		for i, element := range elements {
			if err := json.Unmarshal(element, &list[i]); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	return list, nil
}
