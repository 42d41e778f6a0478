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
	const group, groups, none = `{"id":4,"name":"db"}`, `[{"id":3,"name":"4"},{"id":4,"name":"db"}]`, "[]"
	before, there := &cloudserver.Look{}, &cloudserver.Look{Holder: 4}
	for name, test := range map[string]struct {
		before   *cloudserver.Look
		steps    []step
		requests string
		fails    string // part of the error; "": success
	}{
		"at once":                  {before, []step{answer(201, group)}, "POST", ""},
		"lost before write":        {before, []step{unwritten, answer(201, group)}, "POST POST", ""},
		"lost, effect":             {before, []step{cut, answer(200, groups)}, "POST GET", ""},
		"lost, none":               {before, []step{cut, answer(200, none), answer(201, group)}, "POST GET POST", ""},
		"500, effect":              {before, []step{answer(500, ""), answer(200, groups)}, "POST GET", ""},
		"effect comes late":        {before, []step{cut, answer(200, none), answer(400, taken), answer(200, groups)}, "POST GET POST GET", ""},
		"lost, but it was there":   {there, []step{cut, answer(200, groups)}, "POST GET", "by group 4: POST"},
		"lost, and nobody knows":   {nil, []step{cut, answer(200, groups)}, "POST GET", `group "db" exists now (ID 4), but it may have existed before`},
		"taken":                    {before, []step{answer(400, taken)}, "POST", "by another group: POST"},
		"answered {}":              {nil, []step{answer(201, "{}"), answer(200, groups)}, "POST GET", ""},
		"answered nothing":         {nil, []step{answer(201, ""), answer(200, groups)}, "POST GET", ""},
		"answered {}, comes late":  {nil, []step{answer(201, "{}"), answer(200, none), answer(200, groups)}, "POST GET GET", ""},
		"answered {}, never there": {nil, []step{answer(201, "{}"), answer(200, none)}, "POST GET GET", "the service may still be creating it"},
		"never":                    {before, []step{cut, answer(200, none), cut, answer(200, none)}, "POST GET POST GET", "does not exist so far"},
		"refused":                  {before, []step{answer(403, "no")}, "POST", "403 Forbidden"},
		"lost, then refused":       {before, []step{cut, answer(200, none), answer(403, "no")}, "POST GET POST", "does not exist so far"},
		"lost, and the look-up is": {before, []step{cut, answer(403, "")}, "POST GET", `cannot find out whether group "db" exists`},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				service := serve(test.steps...)
				created, err := newClient(t, service, withRetries(1)).CreateGroup(t.Context(), "acme", "db", test.before)
				if got := strings.Join(service.methods(), " "); got != test.requests {
					t.Errorf("requests %s, want %s", got, test.requests)
				}
				if test.fails == "" && (err != nil || created.ID != 4) || test.fails != "" && (err == nil || !strings.Contains(err.Error(), test.fails)) {
					t.Errorf("got %+v, %v; want an error that says %q", created, err, test.fails)
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
		service := serve(hang, answer(200, `[{"id":4,"name":"db"}]`))
		if created, err := newClient(t, service).CreateGroup(ctx, "acme", "db", &cloudserver.Look{}); err != nil || created.ID != 4 {
			t.Errorf("got %+v, %v; the group exists and must be known", created, err)
		}
	})
}

func TestRenameGroup(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		steps    []step
		requests string
		fails    string
	}{
		"answered":          {[]step{answer(200, `{"id":4,"name":"db"}`)}, "PUT", ""},
		"answered {}":       {[]step{answer(200, "{}"), answer(200, `[{"id":4,"name":"db"}]`)}, "PUT GET", ""},
		"answered nothing":  {[]step{answer(200, ""), answer(200, `[{"id":4,"name":"db"}]`)}, "PUT GET", ""},
		"not there":         {[]step{answer(404, "")}, "PUT", "404"},
		"another's answer":  {[]step{answer(200, `{"id":5,"name":"db"}`)}, "PUT", "another group: 5 instead of 4"},
		"read back another": {[]step{answer(200, "{}"), answer(200, `[{"id":5,"name":"db"}]`)}, "PUT GET", `no group has the id 4`},
		"garbage":           {[]step{answer(200, "<html>")}, "PUT", "page for a browser"},
	} {
		service := serve(test.steps...)
		renamed, err := newClient(t, service, withRetries(0)).RenameGroup(t.Context(), "acme", "web", 4, "db")
		if got := strings.Join(service.methods(), " "); got != test.requests {
			t.Errorf("%s: requests %s, want %s", name, got, test.requests)
		}
		if test.fails == "" && (err != nil || renamed.ID != 4) || test.fails != "" && (err == nil || !strings.Contains(err.Error(), test.fails)) {
			t.Errorf("%s: got %+v, %v; want an error that says %q", name, renamed, err, test.fails)
		}
	}
}

// The readings beside the usual ones, distinguished by their queries alone.
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
