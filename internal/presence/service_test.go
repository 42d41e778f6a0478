package presence_test

import (
	"context"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/cloudserver"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/fleet"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/origin"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/presence"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/run"
)

// machines returns answers that show one group with a machine of each hostname, named web1, web2 and so on.
func machines(hostnames ...string) map[string]string {
	var all []string
	for i, hostname := range hostnames {
		all = append(all, `{"id":1`+string('1'+rune(i))+`,"name":"web`+string('1'+rune(i))+`","hostname":"`+hostname+`"}`)
	}
	return map[string]string{
		"/accounts":             `[{"id":3,"name":"acme"}]`,
		"/accounts/acme/groups": `[{"id":5,"name":"web"}]`,
		"/accounts/acme/groups/web/virtual_machines": "[" + strings.Join(all, ",") + "]",
	}
}

// TestLearnDomain: what is learned does not depend on the order of the machines: different domains teach nothing.
func TestLearnDomain(t *testing.T) {
	t.Parallel()
	const ours, staging, old = ".web.acme.cluster.example", ".web.acme.staging.cluster.example", ".old.acme.cluster.example"
	for name, test := range map[string]struct {
		hostnames []string // in both orders
		state     string
		want      string
	}{
		"one":                    {hostnames: []string{ours}, want: ".cluster.example"},
		"an old hostname":        {hostnames: []string{ours, old}, want: ".cluster.example"},
		"two domains":            {hostnames: []string{ours, staging}},
		"two domains, one known": {hostnames: []string{ours, staging}, state: ".cluster.example"},
		"another domain":         {hostnames: []string{staging}, state: ".cluster.example"},
		"no hostname tells":      {hostnames: []string{old}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			for range 2 {
				slices.Reverse(test.hostnames)
				var named []string
				for i, rest := range test.hostnames {
					named = append(named, "web"+string('1'+rune(i))+rest)
				}
				client, _ := serving(t, machines(named...))
				f, states := fleet.New(client), new(run.Memory)
				states.Note(run.ObjectWithID(run.VirtualMachine, 7), func(k *run.Known) { k.Account, k.Domain = "acme", test.state })
				if got := presence.LearnDomain(t.Context(), f, states, "acme"); got != test.want || f.Domains.Account("acme") != test.want {
					t.Errorf("%q: learned %q, noted %q, want %q", named, got, f.Domains.Account("acme"), test.want)
				}
			}
		})
	}
}

// TestCheckAfterASwitch: from a request on, another service answers, which has the account with another ID and other
// groups. A check uses nothing that was requested before the time that it is given.
func TestCheckAfterASwitch(t *testing.T) {
	t.Parallel()
	for name, home := range map[string]presence.Home{"by the domain": {Domain: ".cluster.example"}, "by the ID": {ID: 3}} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			client, service := serving(t, machines("web1.web.acme.cluster.example"))
			f, states := fleet.New(client), new(run.Memory)
			if err := home.Check(t.Context(), f, states, "acme", "object"); err != nil {
				t.Fatal(err)
			}
			service.answers = map[string]string{
				"/accounts":             `[{"id":4,"name":"acme"}]`,
				"/accounts/acme/groups": `[{"id":5,"name":"db"}]`,
				"/accounts/acme/groups/db/virtual_machines": `[{"id":11,"name":"db1","hostname":"db1.db.acme.cluster.elsewhere"}]`,
			}
			f.ForgetBefore(time.Now())
			if err := home.Check(t.Context(), f, states, "acme", "object"); !origin.IsOther(err) {
				t.Errorf("got %v after %q", err, service.paths)
			}
		})
	}
}

// TestGoneAfterASwitch: an object is not gone because another service denies it, whatever the account's domain was before
// the object was asked for.
func TestGoneAfterASwitch(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		domain string
		gone   bool
	}{"ours": {".cluster.example", true}, "theirs": {".cluster.elsewhere", false}} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			client, service := serving(t, machines("web1.web.acme"+test.domain))
			service.answers["/accounts/3"] = `{"id":3,"name":"acme","groups":[]}`
			f, states := fleet.New(client), new(run.Memory)
			states.Note(run.ObjectWithID(run.VirtualMachine, 7), func(k *run.Known) { k.Account, k.Domain = "acme", ".cluster.example" })
			f.Domains.SetAccount("acme", ".cluster.example", time.Now())
			m := fleet.Machine{Account: "acme", Group: "web", GroupID: 5, ID: 7}
			_, err := presence.FindMachine(t.Context(), f, states, m, func(ctx context.Context) (*cloudserver.VirtualMachine, error) {
				return client.VirtualMachine(ctx, 7)
			})
			if presence.IsGone(err) != test.gone || origin.IsOther(err) == test.gone {
				t.Errorf("got %v after %q", err, service.paths)
			}
		})
	}
}

// TestGoneWhereAnotherServiceHasDenied: another service answers until its listing has denied the object, and then ours
// answers again. The hostnames of the listing that denies it decide, whatever is asked later.
func TestGoneWhereAnotherServiceHasDenied(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		listed string // hostnames of the listing
		gone   bool
	}{
		"ours":           {listed: "db1.db.acme.cluster.example", gone: true},
		"theirs":         {listed: "db1.db.acme.cluster.elsewhere"},
		"below ours":     {listed: "db1.db.acme.staging.cluster.example"},
		"no hostname":    {gone: true},
		"ours and older": {listed: "old1.db.acme.cluster.example db1.web.acme.cluster.example", gone: true},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			client, service := serving(t, machines("web1.web.acme.cluster.example"))
			groups := `{"id":4,"name":"empty","virtual_machines":[]}`
			for _, hostname := range strings.Fields(test.listed) {
				group := strings.Split(hostname, ".")[1]
				groups += `,{"id":5,"name":"` + group + `","virtual_machines":[{"id":11,"name":"db1","hostname":"` + hostname + `"}]}`
			}
			service.answers["/accounts/3"] = `{"id":3,"name":"acme","groups":[` + groups + `]}`
			f, states := fleet.New(client), new(run.Memory)
			states.Note(run.ObjectWithID(run.VirtualMachine, 7), func(k *run.Known) { k.Account, k.Domain = "acme", ".cluster.example" })
			m := fleet.Machine{Account: "acme", Group: "web", GroupID: 5, ID: 7}
			_, err := presence.FindMachine(t.Context(), f, states, m, func(ctx context.Context) (*cloudserver.VirtualMachine, error) {
				return client.VirtualMachine(ctx, 7)
			})
			if presence.IsGone(err) != test.gone || origin.IsOther(err) == test.gone {
				t.Errorf("got %v after %q", err, service.paths)
			}
		})
	}
}
