package console

import (
	"cmp"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"regexp"
	"slices"
	"time"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/emulator"
)

// entry is a request in the answer of GET /_emulator/journal. It contains no secrets.
type entry struct {
	Time       time.Time `json:"time"`
	Method     string    `json:"method"`
	Path       string    `json:"path"`
	Query      string    `json:"query,omitempty"`
	Body       any       `json:"body,omitempty"`
	Status     int       `json:"status"`
	DurationMS float64   `json:"duration_ms"`
	Reason     string    `json:"reason,omitempty"`
	// Reached is the object that the path led to, and whether the service carried out the request.
	Reached emulator.Reached `json:"reached"`
}

// maxShownRequests is the maximum number of requests in an answer. The count includes all.
const maxShownRequests = 1000

// requests counts the requests in the journal that match a query.
func (d *desk) requests(r *http.Request) (any, error) {
	if len(r.URL.RawQuery) > maxPattern {
		return nil, fmt.Errorf("the query has %d characters, send at most %d", len(r.URL.RawQuery), maxPattern)
	}
	chosen, err := choose(r.URL.Query())
	if err != nil {
		return nil, err
	}
	count, list := 0, []entry{}
	kept := d.emulator.Journal()
	for _, request := range slices.Backward(kept) {
		if !chosen(request) {
			continue
		}
		if count++; len(list) < maxShownRequests {
			list = append(list, newEntry(request))
		}
	}
	slices.Reverse(list)
	_, total := d.emulator.LastRequests(0)
	return map[string]any{"count": count, "requests": list, "dropped": max(0, total-len(kept))}, nil
}

// choose returns a function that reports whether a request matches a query.
func choose(query url.Values) (func(emulator.Request) bool, error) {
	for name := range query {
		if !slices.Contains([]string{"method", "path", "status", "since"}, name) {
			return nil, fmt.Errorf("%s is none of method, path, status and since", name)
		}
	}
	var since time.Time
	if written := query.Get("since"); written != "" {
		var err error
		if since, err = time.Parse(time.RFC3339, written); err != nil {
			return nil, errors.New("since: send a time such as 2026-01-01T00:00:00Z")
		}
	}
	orAny := func(name string) string { return cmp.Or(query.Get(name), "*") }
	wanted, err := regexp.Compile(
		"(?s)^" + glob(orAny("method")) + " " + glob(orAny("path")) + " " + glob(orAny("status")) + "$",
	)
	return func(r emulator.Request) bool {
		return !r.Time.Before(since) && wanted.MatchString(fmt.Sprint(r.Method, " ", r.Path, " ", r.Status))
	}, err
}

func (d *desk) journal() []entry {
	list := []entry{}
	for _, r := range d.emulator.Journal() {
		list = append(list, newEntry(r))
	}
	return list
}

func newEntry(r emulator.Request) entry {
	return entry{
		Time: r.Time, Method: r.Method, Path: r.Path, Query: r.ShownQuery(), Body: r.ShownBody(), Status: r.Status, Reason: r.Reason,
		DurationMS: float64(r.Duration.Microseconds()) / 1000, Reached: r.Reached,
	}
}
