package rdns_test

import (
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/acctest"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/emulator"
)

// destroy destroys a name, and returns the diagnostics as text.
func destroy(t *testing.T, d *acctest.Driver, o *acctest.Object) string {
	t.Helper()
	left, diags := d.Apply(t.Context(), rdnsType, d.Plan(t.Context(), rdnsType, o, nil))
	if left != nil || acctest.HasErrors(diags) {
		t.Errorf("left %v", left)
	}
	return acctest.DiagText(diags)
}

// nameOf returns the name that an address has at the service.
func nameOf(t *testing.T, e *acctest.Emulator, address string) string {
	t.Helper()
	o, diags := e.NewDriver(t, nil).Import(t.Context(), rdnsType, address)
	if acctest.HasErrors(diags) {
		t.Fatal(acctest.DiagText(diags))
	}
	return o.Get("hostname").(string)
}

// TestReplacedNameStays: the new resource of an address sets the name before the old
// one is destroyed, with create_before_destroy or under a new key.
func TestReplacedNameStays(t *testing.T) {
	t.Parallel()
	_, e, _ := drive(t)
	config := map[string]any{"address": ipv4, "hostname": "www.example.com"}
	old := e.NewDriver(t, nil).MustApply(t.Context(), rdnsType, nil, config)
	d := e.NewDriver(t, nil)
	created := d.MustApply(t.Context(), rdnsType, nil, config)
	e.ResetJournal()
	if text := destroy(t, d, old); text != "" {
		t.Errorf("got:\n%s", text)
	}
	acctest.ExpectCalls(t, e)
	d.ExpectPlan(t.Context(), d.MustRefresh(t.Context(), created), config, acctest.ActionNoOp)

	// In the other order the name is reset first, and set again.
	d = e.NewDriver(t, nil)
	destroy(t, d, created)
	created = d.MustApply(t.Context(), rdnsType, nil, config)
	if name := nameOf(t, e, ipv4); name != "www.example.com" {
		t.Errorf("the name is %s", name)
	}
	acctest.ExpectCalls(t, e, "PUT /ips/"+ipv4, "PUT /ips/"+ipv4)
	destroy(t, d, created)
	if name := nameOf(t, e, ipv4); name == "www.example.com" {
		t.Error("it was not reset")
	}
}

// TestNamesUnderNewKeys are created and destroyed side by side, and none is lost.
func TestNamesUnderNewKeys(t *testing.T) {
	t.Parallel()
	_, e, _ := drive(t)
	config := map[string]any{"address": ipv4, "hostname": "www.example.com"}
	for range 20 {
		old := e.NewDriver(t, nil).MustApply(t.Context(), rdnsType, nil, config)
		d, created := e.NewDriver(t, nil), make(chan struct{})
		go func() {
			defer close(created)
			d.MustApply(t.Context(), rdnsType, nil, config)
		}()
		destroy(t, d, old)
		<-created
		if name := nameOf(t, e, ipv4); name != "www.example.com" {
			t.Fatalf("the name is %s", name)
		}
	}
}

// TestStrangersNameStays: what somebody else has set since is not reset, also if a
// refresh has shown it.
func TestStrangersNameStays(t *testing.T) {
	t.Parallel()
	_, e, _ := drive(t)
	mine := map[string]any{"address": ipv4, "hostname": "www.example.com"}
	created := e.NewDriver(t, nil).MustApply(t.Context(), rdnsType, nil, mine)
	d := e.NewDriver(t, nil)
	imported, diags := d.Import(t.Context(), rdnsType, ipv4)
	if acctest.HasErrors(diags) {
		t.Fatal(acctest.DiagText(diags))
	}
	theirs := e.NewDriver(t, nil).MustApply(t.Context(), rdnsType, nil, map[string]any{"address": ipv4, "hostname": "stranger.example"})
	for name, o := range map[string]*acctest.Object{"created": created, "imported": imported} {
		e.ResetJournal()
		text := destroy(t, d, d.MustRefresh(t.Context(), o))
		if !strings.Contains(text, "The reverse DNS name of "+ipv4+" stays") || !strings.Contains(text, `It is "stranger.example", and this resource set "www.example.com"`) {
			t.Errorf("%s: got:\n%s", name, text)
		}
		acctest.ExpectCalls(t, e)
	}
	if text := destroy(t, d, theirs); text != "" { // in another process, by the one who set it
		t.Error(text)
	}
}

// TestTwoNamesOfOneAddress would overwrite each other.
func TestTwoNamesOfOneAddress(t *testing.T) {
	t.Parallel()
	d, _, _ := drive(t)
	one := d.OneRun()
	if plan := one.Plan(t.Context(), rdnsType, nil, map[string]any{"address": ipv6, "hostname": "a.example"}); acctest.HasErrors(plan.Diagnostics) {
		t.Error(acctest.DiagText(plan.Diagnostics))
	}
	text := acctest.DiagText(one.Plan(t.Context(), rdnsType, nil, map[string]any{"address": "2001:DB8:1::10", "hostname": "b.example"}).Diagnostics)
	if !strings.Contains(text, "error at address: Duplicate reverse DNS name") {
		t.Errorf("got:\n%s", text)
	}
}

// TestPlanWarnsOfTheNameThatIsThere, but not of the hostname of the machine, and asks
// once for a new resource.
func TestPlanWarnsOfTheNameThatIsThere(t *testing.T) {
	t.Parallel()
	ctx := t.Context()
	d, e, machine := drive(t)
	vm, diags := d.Import(ctx, "cloudserver_vm", fmt.Sprint(machine))
	if vm == nil {
		t.Fatal(acctest.DiagText(diags))
	}
	planned := func(run *acctest.Driver, hostname string) string {
		e.ResetJournal()
		plan := run.Plan(ctx, rdnsType, nil, map[string]any{"address": ipv4, "hostname": hostname})
		if calls := e.AllCalls(); !slices.Equal(calls, []string{"GET /ips/" + ipv4}) {
			t.Errorf("requests %v", calls)
		}
		return acctest.DiagText(plan.Diagnostics)
	}
	one := e.NewDriver(t, nil).OneRun()
	one.MustRefresh(ctx, vm)
	if text := planned(one, "www.example.com"); text != "" {
		t.Error(text)
	}
	theirs := d.MustApply(ctx, rdnsType, nil, map[string]any{"address": ipv4, "hostname": "theirs.example"})
	one = e.NewDriver(t, nil).OneRun()
	one.MustRefresh(ctx, vm)
	text := planned(one, "www.example.com")
	for _, want := range []string{"warning at address", `It is "theirs.example", and applying this plan overwrites it.`, "To keep it, import it instead", `id = "` + ipv4 + `"`} {
		if !strings.Contains(text, want) {
			t.Errorf("want %q in:\n%s", want, text)
		}
	}
	one = e.NewDriver(t, nil).OneRun()
	one.MustRefresh(ctx, theirs)
	if text := planned(one, "www.example.com"); !strings.Contains(text, "Another resource of this configuration has this address in the state") {
		t.Error(text)
	}
	one = e.NewDriver(t, nil).OneRun()
	one.MustRefresh(ctx, theirs)
	if text := planned(one, "theirs.example"); text != "" {
		t.Error(text)
	}
	e.ResetJournal()
	if plan := e.NewDriver(t, nil).Plan(ctx, rdnsType, nil, map[string]any{"address": ipv4, "hostname": "www.example.com"}); len(plan.Diagnostics) > 0 || len(e.AllCalls()) > 0 {
		t.Errorf("%s, requests %v", acctest.DiagText(plan.Diagnostics), e.AllCalls())
	}
}

// TestNameInAnotherAccount is judged by the account of the machine that has the
// address, not by the provider's.
func TestNameInAnotherAccount(t *testing.T) {
	t.Parallel()
	ctx := t.Context()
	d, e, _ := drive(t)
	e.AddAccount("other", false)
	e.AddGroup("other", "default", false)
	machine := map[string]any{"account": "other", "group": "default", "name": "db1", "disc": []map[string]any{{"label": "vda", "size": 25600}}}
	vm := d.MustApply(ctx, "cloudserver_vm", nil, machine)
	address := vm.Get("ipv4_address").(string)
	o := d.MustApply(ctx, rdnsType, nil, map[string]any{"address": address, "hostname": "db.example"})
	later := e.NewDriver(t, nil)
	imported, diags := later.Import(ctx, rdnsType, address) // before its machine is read
	if acctest.HasErrors(diags) {
		t.Fatal(acctest.DiagText(diags))
	}
	later.MustRefresh(ctx, vm)
	imported = later.MustRefresh(ctx, imported)

	hidden := e.Inject(emulator.Fault{Status: http.StatusNotFound, Match: func(r emulator.Request) bool {
		return r.Path != "/accounts/demo" && r.Path != "/accounts"
	}})
	for name, o := range map[string]*acctest.Object{"created": o, "imported": imported} {
		read, diags := e.NewDriver(t, nil).Refresh(ctx, o)
		if text := acctest.DiagText(diags); read == nil || !strings.Contains(text, `does not show the account "other"`) {
			t.Errorf("%s: removed %t\n%s", name, read == nil, text)
		}
	}
	hidden()
}
