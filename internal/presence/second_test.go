package presence_test

import (
	"context"
	"fmt"
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

// TestFindMachine: a machine that is denied twice under its ID is gone only if its group and its account deny it as
// well.
func TestFindMachine(t *testing.T) {
	t.Parallel()
	const (
		object   = "/virtual_machines/7"
		account  = "/accounts/acme"
		second   = "/accounts/3/groups/5/virtual_machines/7"
		overview = "/accounts/3"
		web1     = `{"id":7,"name":"web1","group_id":5}`
		asked    = object + " " + account + " " + object + " " + second
	)
	state := fleet.Machine{Account: "acme", Group: "web", GroupID: 5, ID: 7}
	all := func(machines string) string {
		return `{"id":3,"name":"acme","groups":[{"id":5,"name":"web","virtual_machines":[]},{"id":6,"name":"db","virtual_machines":` + machines + `}]}`
	}
	for name, test := range map[string]struct {
		at       fleet.Machine
		answers  map[string]string // by path; 404 otherwise
		gone     bool
		found    bool
		requests string
	}{
		"gone":                       {at: state, answers: map[string]string{overview: all("[]")}, gone: true, requests: asked + " " + overview + " " + account},
		"its group has it":           {at: state, answers: map[string]string{second: web1}, found: true, requests: asked},
		"moved":                      {at: state, answers: map[string]string{overview: all("[" + web1 + "]")}, found: true, requests: asked + " " + overview},
		"a namesake is in the way":   {at: state, answers: map[string]string{second: `{"id":8,"name":"7"}`, overview: all("[" + web1 + "]")}, found: true, requests: asked + " " + overview},
		"no listing":                 {at: state, requests: asked + " " + overview + " " + account},
		"a listing without machines": {at: state, answers: map[string]string{overview: all("null")}, requests: asked + " " + overview + " " + account},
		"its group is unknown":       {at: fleet.Machine{Account: "acme", ID: 7}, answers: map[string]string{overview: all("[" + web1 + "]")}, found: true, requests: object + " " + account + " " + object + " " + overview},
		"its account is unknown":     {at: fleet.Machine{ID: 7}, answers: map[string]string{"/accounts": `[{"id":3,"name":"acme"}]`, overview: all("[" + web1 + "]")}, found: true, requests: object + " /accounts " + object + " /accounts " + overview},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			client, service := serving(t, test.answers)
			vm, err := presence.FindMachine(t.Context(), fleet.New(client), new(run.Memory), test.at, func(ctx context.Context) (*cloudserver.VirtualMachine, error) {
				return client.VirtualMachine(ctx, 7)
			})
			if presence.IsGone(err) != test.gone || (vm != nil && vm.ID == 7 && err == nil) != test.found || cloudserver.IsNotFound(err) && !test.gone {
				t.Errorf("got %v, %v", vm, err)
			}
			if want := strings.Fields(test.requests); !slices.Equal(service.paths, want) {
				t.Errorf("requests: %q, want %q", service.paths, want)
			}
		})
	}
}

// TestFindGroup: a group that is denied twice under its ID is gone only if the list of its account lacks it as well.
func TestFindGroup(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		list        string
		gone, found bool
	}{
		"gone":                     {list: "[]", gone: true},
		"its account lists it":     {list: `[{"id":5,"name":"web"}]`, found: true},
		"its account has no list":  {},
		"its account lists others": {list: `[{"id":6,"name":"db"}]`, gone: true},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			answers := map[string]string{}
			if test.list != "" {
				answers["/accounts/3/groups"] = test.list
			}
			client, service := serving(t, answers)
			group, err := presence.FindGroup(t.Context(), fleet.New(client), new(run.Memory), "acme", 5, func(ctx context.Context) (*cloudserver.Group, error) {
				return client.Group(ctx, "acme", "5")
			})
			if presence.IsGone(err) != test.gone || (group != nil && group.ID == 5 && err == nil) != test.found || presence.IsHidden(err) {
				t.Errorf("got %v, %v after %q", group, err, service.paths)
			}
		})
	}
}

// serving returns the client of a service that answers these paths, and everything else with 404. It shows the account
// acme.
func serving(t *testing.T, answers map[string]string) (*cloudserver.Client, *bodies) {
	t.Helper()
	service, retries := &bodies{answers: answers}, 0
	client, err := cloudserver.New(cloudserver.Config{Endpoint: "https://service.invalid", Token: "apikey.test", Transport: service, MaxRetries: &retries})
	if err != nil {
		t.Fatal(err)
	}
	return client, service
}

// bodies answers with the body of a path, or with 404.
type bodies struct {
	answers map[string]string
	paths   []string
}

// RoundTrip implements http.RoundTripper.
func (b *bodies) RoundTrip(r *http.Request) (*http.Response, error) {
	b.paths = append(b.paths, r.URL.Path)
	body, found := b.answers[r.URL.Path]
	if r.URL.Path == "/accounts/acme" {
		body, found = `{"id":3,"name":"acme"}`, true
	}
	status := http.StatusOK
	if !found {
		status, body = http.StatusNotFound, fmt.Sprintf("no %s", r.URL.Path)
	}
	return &http.Response{StatusCode: status, Header: http.Header{"Content-Type": {"application/json"}}, Body: io.NopCloser(strings.NewReader(body)), Request: r}, nil
}
