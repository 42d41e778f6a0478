package vm_test

import (
	"fmt"
	"maps"
	"net/http"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/acctest"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/emulator"
)

// hidden refreshes and destroys where the machines are out of sight, and none is
// gone: with a wrong base path, with credentials that may not see the account, while
// a service shows nothing, and at another service, which has machines of the same
// IDs.
func (l *life) hidden() {
	settings, healthy := maps.Clone(l.settings), l.process()
	disarm := func() {}
	how := one(l.rng, "base path", "credentials", "nothing", "another service")
	switch how {
	case "base path":
		settings["endpoint"] = l.e.URL + acctest.WrongBasePath
	case "credentials":
		l.e.AddUser("them", "test-only")
		l.e.RestrictUser("them", "theirs")
		l.e.AddAPIKey("apikey.them", "them")
		settings["token"] = "apikey.them"
	case "nothing":
		disarm = l.e.Inject(emulator.Fault{Status: http.StatusNotFound, Match: isGet})
	}
	defer func() { disarm() }()
	d := l.e.NewDriver(l.t, settings)
	l.e.ResetJournal()
	for _, s := range l.slots {
		if s.o == nil {
			continue
		}
		o := s.o
		if how == "another service" {
			o = edited(l.t, edited(l.t, o, "id", fmt.Sprint(l.addOther("demo", "default", "theirs"))), "hostname",
				fmt.Sprintf("%v.%v.%v.elsewhere.example", o.Get("name"), o.Get("group"), o.Get("account")))
		}
		plan := healthy.Plan(l.t.Context(), vmType, o, nil)
		read, diags := d.Refresh(l.t.Context(), o)
		if !acctest.HasErrors(diags) || !read.State.Equal(o.State) || blamesProvider(acctest.DiagText(diags)) {
			l.fail("refresh of %s with a hidden account (%s):\n%s", s.name, how, acctest.DiagText(diags))
		}
		if _, exists := l.machine(s); !exists || plan.Action != acctest.ActionDelete || how == "nothing" {
			continue
		}
		kept, diags := d.Apply(l.t.Context(), vmType, plan)
		if !acctest.HasErrors(diags) || kept == nil {
			l.fail("destroy of %s with a hidden account (%s):\n%s", s.name, how, acctest.DiagText(diags))
		}
	}
	if writes := acctest.Unplanned(l.e.Journal(), nil); len(writes) > 0 {
		l.fail("with a hidden account (%s): %v", how, writes)
	}
	l.count("hidden: " + how)
}
