package presence_test

import (
	"context"
	"io"
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/cloudserver"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/fleet"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/presence"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/run"
)

// TestFind: an object is gone if the account is shown after each of two denials. If the account goes out of sight right
// before the second one, that denial proves nothing.
func TestFind(t *testing.T) {
	t.Parallel()
	const object, account = "/virtual_machines/7", "/accounts/acme"
	for name, test := range map[string]struct {
		statuses     []int // in the order of the requests
		gone, hidden bool
	}{
		"there":                             {statuses: []int{200}},
		"denied once":                       {statuses: []int{404, 200, 200}},
		"gone":                              {statuses: []int{404, 200, 404, 200}, gone: true},
		"out of sight":                      {statuses: []int{404, 404}, hidden: true},
		"denied, and out of sight after it": {statuses: []int{404, 200, 404, 404}, hidden: true},
		"nothing is proved":                 {statuses: []int{404, 200, 404, 403}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			service, retries := &answering{statuses: test.statuses}, 0
			client, err := cloudserver.New(cloudserver.Config{Endpoint: "https://service.invalid", Token: "apikey.test", Transport: service, MaxRetries: &retries})
			if err != nil {
				t.Fatal(err)
			}
			_, err = presence.Find(t.Context(), fleet.New(client), new(run.Memory), "acme", func(ctx context.Context) (*cloudserver.VirtualMachine, error) {
				return client.VirtualMachine(ctx, 7)
			})
			if presence.IsGone(err) != test.gone || presence.IsHidden(err) != test.hidden {
				t.Errorf("got %v", err)
			}
			if want := []string{object, account, object, account}[:len(test.statuses)]; !slices.Equal(service.paths, want) {
				t.Errorf("requests: %v", service.paths)
			}
		})
	}
}

// answering answers with one status after the other.
type answering struct {
	statuses []int
	paths    []string
}

// RoundTrip implements http.RoundTripper.
func (a *answering) RoundTrip(r *http.Request) (*http.Response, error) {
	a.paths = append(a.paths, r.URL.Path)
	status := http.StatusTeapot // nothing more is asked
	if len(a.paths) <= len(a.statuses) {
		status = a.statuses[len(a.paths)-1]
	}
	body := `{"id":7,"name":"acme"}`
	return &http.Response{StatusCode: status, Header: http.Header{"Content-Type": {"application/json"}}, Body: io.NopCloser(strings.NewReader(body)), Request: r}, nil
}
