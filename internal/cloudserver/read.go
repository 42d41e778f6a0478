package cloudserver

import (
	"errors"
	"fmt"
	"io"
	"net/http"
)

// maxBody is how many bytes an answer may have: ten thousand machines and more.
const maxBody = 16 << 20

var (
	// errTooLarge stops an endless answer from filling the memory.
	errTooLarge = errors.New("the answer is larger than any of the service's")
	// errSwitched is an answer that ends HTTP: its body has no end.
	errSwitched = fmt.Errorf("the answer is %d %s, which no call asks for", http.StatusSwitchingProtocols, http.StatusText(http.StatusSwitchingProtocols))
)

// readBody reads an answer whole and closes it. A refusal that is too long has no
// body, so that no part of a secret remains where it was cut.
func readBody(response *http.Response) ([]byte, error) {
	if response.StatusCode < http.StatusOK {
		go func() { _ = response.Body.Close() }() // it may block
		return nil, errSwitched
	}
	defer func() { _ = response.Body.Close() }() // what was read counts
	refusal, limit := response.StatusCode >= http.StatusMultipleChoices, maxBody
	if refusal {
		limit = longestErrorBody
	}
	body, err := io.ReadAll(io.LimitReader(response.Body, int64(limit)+1))
	switch {
	case err != nil:
		return nil, fmt.Errorf("the answer broke off: %w", err)
	case len(body) > limit && refusal:
		return nil, nil
	case len(body) > limit:
		return nil, errTooLarge
	}
	return body, nil
}
