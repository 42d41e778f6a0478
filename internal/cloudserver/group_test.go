package cloudserver_test

import (
	"context"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/cloudserver"
)

func TestCreateGroup(t *testing.T) {
	t.Parallel()
	const group, groups, full = `{"id":4,"name":"db"}`, `[{"id":3,"name":"4"},{"id":4,"name":"db"}]`, `{"id":4,"name":"db","virtual_machines":[{"id":7}]}`
	for name, test := range map[string]struct {
		steps    []step
		requests string
		fails    string // what the error says; "": success
	}{
		"at once":                  {[]step{answer(201, group)}, "POST", ""},
		"lost before write":        {[]step{unwritten, answer(201, group)}, "POST POST", ""},
		"lost, effect":             {[]step{cut, answer(200, groups), answer(200, group)}, "POST GET GET", ""},
		"lost, none":               {[]step{cut, answer(200, "[]"), answer(201, group)}, "POST GET POST", ""},
		"500, effect":              {[]step{answer(500, ""), answer(200, groups), answer(200, group)}, "POST GET GET", ""},
		"effect comes late":        {[]step{cut, answer(200, "[]"), answer(400, taken), answer(200, groups), answer(200, group)}, "POST GET POST GET GET", ""},
		"late, and somebody's":     {[]step{cut, answer(200, "[]"), answer(400, taken), answer(200, groups), answer(200, full)}, "POST GET POST GET GET", "already been taken"},
		"taken":                    {[]step{answer(400, taken)}, "POST", "already been taken"},
		"never":                    {[]step{cut, answer(200, "[]"), cut, answer(200, "[]")}, "POST GET POST GET", "connection reset"},
		"lost, and the look-up is": {[]step{cut, answer(403, "")}, "POST GET", `whether group "db" exists could not be found out`},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				service := serve(test.steps...)
				made, err := newClient(t, service, withRetries(1)).CreateGroup(t.Context(), "acme", "db")
				if got := strings.Join(service.methods(), " "); got != test.requests {
					t.Errorf("requests %s, want %s", got, test.requests)
				}
				if test.fails == "" && (err != nil || made.ID != 4) || test.fails != "" && (err == nil || !strings.Contains(err.Error(), test.fails)) {
					t.Errorf("got %+v, %v; want an error that says %q", made, err, test.fails)
				}
			})
		})
	}
}

func TestInterruptedCreateGroup(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithCancel(t.Context())
		time.AfterFunc(time.Second, cancel)
		service := serve(hang, answer(200, `[{"id":4,"name":"db"}]`), answer(200, `{"id":4,"name":"db"}`))
		if made, err := newClient(t, service).CreateGroup(ctx, "acme", "db"); err != nil || made.ID != 4 {
			t.Errorf("got %+v, %v; the group exists and must be known", made, err)
		}
	})
}

// The readings beside the usual ones, told apart by their queries alone.
func TestQueries(t *testing.T) {
	t.Parallel()
	for want, do := range map[string]caller{
		"/accounts/acme?include_deleted=true&view=overview": func(ctx context.Context, c *cloudserver.Client) error {
			return result(c.AccountWithDeleted(ctx, "acme"))
		},
		"/accounts/acme?": func(ctx context.Context, c *cloudserver.Client) error {
			return result(c.AccountAlone(ctx, "acme"))
		},
		"/accounts/acme/groups/web?": func(ctx context.Context, c *cloudserver.Client) error {
			return result(c.GroupAlone(ctx, "acme", "web"))
		},
		"/virtual_machines/7?include_deleted=true&view=overview": func(ctx context.Context, c *cloudserver.Client) error {
			return result(c.VirtualMachine(ctx, 7, cloudserver.IncludeDeleted))
		},
		"/accounts/acme/groups/web/virtual_machines?include_deleted=true&view=overview": func(ctx context.Context, c *cloudserver.Client) error {
			return result(c.VirtualMachines(ctx, "acme", "web", cloudserver.IncludeDeleted))
		},
	} {
		service := serve(answer(200, `{"id":7,"deleted":true}`))
		if err := do(t.Context(), newClient(t, service)); err != nil {
			t.Errorf("%s: %v", want, err)
			continue
		}
		if got := service.journal()[0]; got.path+"?"+got.query != "/base"+want {
			t.Errorf("got %s?%s, want %s", got.path, got.query, want)
		}
	}
}
