package vm_test

import (
	"maps"
	"net/http"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/acctest"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/emulator"
)

// hidden refreshes and destroys where every machine is answered with 404, and
// none is gone: with a wrong base path, with credentials that may not see the
// account, and while a service shows nothing.
func (l *life) hidden() {
	settings, healthy := maps.Clone(l.settings), l.process()
	disarm := func() {}
	how := one(l.rng, "base path", "credentials", "nothing")
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
		plan := healthy.Plan(l.t.Context(), vmType, s.o, nil)
		read, diags := d.Refresh(l.t.Context(), s.o)
		if !acctest.HasErrors(diags) || !read.State.Equal(s.o.State) || blamesProvider(acctest.DiagText(diags)) {
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
	for _, o := range l.beside.objects() {
		read, diags := d.Refresh(l.t.Context(), o)
		if !acctest.HasErrors(diags) || !read.State.Equal(o.State) {
			l.fail("refresh of %s with a hidden account (%s):\n%s", o.TypeName, how, acctest.DiagText(diags))
		}
		if how == "nothing" {
			continue
		}
		kept, diags := d.Apply(l.t.Context(), o.TypeName, healthy.Plan(l.t.Context(), o.TypeName, o, nil))
		if !acctest.HasErrors(diags) || kept == nil {
			l.fail("destroy of %s with a hidden account (%s):\n%s", o.TypeName, how, acctest.DiagText(diags))
		}
	}
	if writes := acctest.Unplanned(l.e.Journal(), nil); len(writes) > 0 {
		l.fail("with a hidden account (%s): %v", how, writes)
	}
	l.count("hidden: " + how)
}
