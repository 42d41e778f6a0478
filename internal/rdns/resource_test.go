package rdns_test

import (
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/acctest"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/emulator"
)

const (
	rdnsType = "cloudserver_rdns"
	ipv4     = "192.0.2.10"
	ipv6     = "2001:db8:1::10"
)

func TestMain(m *testing.M) { acctest.Main(m) }

// drive starts with a machine that holds both addresses.
func drive(t *testing.T) (*acctest.Driver, *acctest.Emulator, int64) {
	t.Helper()
	d, e := acctest.Drive(t, emulator.Options{}, nil)
	id := e.AddMachine("demo", emulator.PrivateGroup, emulator.Machine{
		Name: "web1", Interfaces: []emulator.Interface{{MAC: "52:54:00:00:00:01", IPs: []string{ipv4, ipv6}}},
	})
	if id == 0 {
		t.Fatal("no machine")
	}
	return d, e, id
}

func TestRDNSLife(t *testing.T) {
	t.Parallel()
	for _, address := range []string{ipv4, ipv6} {
		ctx := t.Context()
		d, e, _ := drive(t)
		config := map[string]any{"address": address, "hostname": "www.example.com"}
		o := d.MustApply(ctx, rdnsType, nil, config)
		if o.GetIdentity("address") != address {
			t.Errorf("identity %v", o.GetIdentity("address"))
		}
		d.ExpectPlan(ctx, o, config, acctest.ActionNoOp)
		config["hostname"] = "www2.example.com"
		d.ExpectPlan(ctx, o, config, acctest.ActionUpdate)
		o = d.MustApply(ctx, rdnsType, o, config)
		d.MustApply(ctx, rdnsType, o, nil)
		acctest.ExpectCalls(t, e, "PUT /ips/"+address, "PUT /ips/"+address, "PUT /ips/"+address)

		back, diags := d.Import(ctx, rdnsType, address)
		if acctest.HasErrors(diags) || back.Get("hostname") != "web1.private.demo."+emulator.ClusterDomain {
			t.Errorf("destroyed, but the name is %v", back.Get("hostname"))
		}
	}
}

func TestSpellingIsNoChange(t *testing.T) {
	t.Parallel()
	ctx := t.Context()
	d, e, _ := drive(t)
	config := map[string]any{"address": "2001:DB8:1:0::10", "hostname": "WWW.example.com."}
	o := d.MustApply(ctx, rdnsType, nil, config)
	other := e.NewDriver(t, nil)
	imported, diags := other.Import(ctx, rdnsType, ipv6)
	if acctest.HasErrors(diags) {
		t.Fatal(acctest.DiagText(diags))
	}
	other.MustApply(ctx, rdnsType, imported, map[string]any{"address": ipv6, "hostname": "www.example.com"})
	d.ExpectPlan(ctx, o, config, acctest.ActionNoOp)
	d.ExpectPlan(ctx, imported, map[string]any{"address": config["address"], "hostname": imported.Get("hostname")}, acctest.ActionNoOp)
	config["address"] = ipv6
	d.ExpectPlan(ctx, o, config, acctest.ActionNoOp)
	config["hostname"] = "www.Example.com"
	d.ExpectPlan(ctx, o, config, acctest.ActionNoOp)
	config["hostname"] = "www2.example.com"
	d.ExpectPlan(ctx, o, config, acctest.ActionUpdate)
	o = d.MustApply(ctx, rdnsType, o, config)
	config["address"] = ipv4
	d.ExpectPlan(ctx, o, config, acctest.ActionReplace)
}

func TestRDNSThatIsGone(t *testing.T) {
	t.Parallel()
	ctx := t.Context()
	d, e, machine := drive(t)
	config := map[string]any{"address": ipv4, "hostname": "www.example.com"}
	o := d.MustApply(ctx, rdnsType, nil, config)

	empty := e.Inject(emulator.Fault{
		Match:  func(r emulator.Request) bool { return r.Method == "GET" },
		Status: 200, Body: `{"address":"` + ipv4 + `","rdns":null}`,
	})
	if read := d.MustRefresh(ctx, o); read != nil {
		t.Errorf("there is no name, but read as %v", read.Get(""))
	}
	empty()

	e.Purge(machine)
	if read := d.MustRefresh(ctx, o); read != nil {
		t.Errorf("nobody holds the address, but read as %v", read.Get(""))
	}
	d.MustApply(ctx, rdnsType, o, nil) // no error
}

func TestRDNSImport(t *testing.T) {
	t.Parallel()
	ctx := t.Context()
	d, _, _ := drive(t)
	config := map[string]any{"address": ipv6, "hostname": "www.example.com"}
	d.MustApply(ctx, rdnsType, nil, config)
	for _, text := range []string{ipv6, "2001:DB8:1:0:0:0:0:10"} {
		o, diags := d.Import(ctx, rdnsType, text)
		if acctest.HasErrors(diags) || o.GetIdentity("address") != ipv6 {
			t.Fatalf("import %q: %s", text, acctest.DiagText(diags))
		}
		d.ExpectPlan(ctx, o, config, acctest.ActionNoOp)
	}
	o, diags := d.ImportByIdentity(ctx, rdnsType, map[string]any{"address": ipv6})
	if acctest.HasErrors(diags) || o.Get("hostname") != "www.example.com" {
		t.Errorf("import by identity: %s", acctest.DiagText(diags))
	}
	for text, want := range map[string]string{"web1": "is not an IP address", ipv4 + "/24": "without a prefix length", "192.0.2.99": "GET /ips/192.0.2.99 answered 404 Not Found"} {
		if _, diags := d.Import(ctx, rdnsType, text); !strings.Contains(acctest.DiagText(diags), want) {
			t.Errorf("import %q: want %q in:\n%s", text, want, acctest.DiagText(diags))
		}
	}
}

// TestNameIsImportedOnce: for two resources, in any spelling, or beside one that has it, it is refused.
func TestNameIsImportedOnce(t *testing.T) {
	t.Parallel()
	ctx := t.Context()
	d, e, _ := drive(t)
	o := d.MustApply(ctx, rdnsType, nil, map[string]any{"address": ipv6, "hostname": "www.example.com"})
	run := e.NewDriver(t, nil).OneRun()
	if _, diags := run.Import(ctx, rdnsType, ipv6); len(diags) > 0 {
		t.Error(acctest.DiagText(diags))
	}
	_, twice := run.Import(ctx, rdnsType, "2001:DB8:1:0:0:0:0:10")
	_, beside := run.Refresh(ctx, o)
	for _, diags := range [][]*tfprotov6.Diagnostic{twice, beside} {
		if text := acctest.DiagText(acctest.Errors(diags)); !strings.Contains(text, "for a second resource") {
			t.Errorf("got %s", text)
		}
	}
}

func TestRDNSRefused(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		address, hostname string
		want              []string
	}{
		"a bad name":         {ipv4, "name_without_dots", []string{"error at hostname: Cannot set the reverse DNS name of " + ipv4}},
		"an unknown address": {"192.0.2.99", "www.example.com", []string{"error at address: ", "No machine that these credentials can see has the address"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			d, _, _ := drive(t)
			o, diags := d.Apply(t.Context(), rdnsType, d.Plan(t.Context(), rdnsType, nil, map[string]any{"address": test.address, "hostname": test.hostname}))
			if o != nil {
				t.Errorf("there is a name: %v", o.Get(""))
			}
			for _, want := range test.want {
				if !strings.Contains(acctest.DiagText(diags), want) {
					t.Errorf("want %q in:\n%s", want, acctest.DiagText(diags))
				}
			}
		})
	}
	d, _, _ := drive(t)
	for address, want := range map[string]string{"web1": "Invalid IP address", ipv4 + "/32": "Invalid IP address", "fe80::1%eth0": "Invalid IP address"} {
		diags := d.Validate(rdnsType, map[string]any{"address": address, "hostname": "a.example"})
		if text := acctest.DiagText(diags); !strings.Contains(text, "error at address: "+want) {
			t.Errorf("%s: got:\n%s", address, text)
		}
	}
	if diags := d.Validate(rdnsType, map[string]any{"address": acctest.Unknown, "hostname": acctest.Unknown}); acctest.HasErrors(diags) {
		t.Errorf("unknown values: %s", acctest.DiagText(diags))
	}
}

func TestMappedAddressIsTheIPv4Address(t *testing.T) {
	t.Parallel()
	d, _, _ := drive(t)
	text := acctest.DiagText(d.Validate(rdnsType, map[string]any{"address": "::ffff:" + ipv4, "hostname": "a.example"}))
	if !strings.Contains(text, "error at address: Invalid IP address") || !strings.Contains(text, "Set "+ipv4) {
		t.Errorf("got:\n%s", text)
	}
	o, diags := d.Import(t.Context(), rdnsType, "::ffff:"+ipv4)
	if acctest.HasErrors(diags) || o.Get("address") != ipv4 || o.GetIdentity("address") != ipv4 {
		t.Errorf("imported %v\n%s", o.Get(""), acctest.DiagText(diags))
	}
}

// TestHiddenAccountsProveNothing: a 404 where no account is visible does not say
// that the address is gone.
func TestHiddenAccountsProveNothing(t *testing.T) {
	t.Parallel()
	ctx := t.Context()
	d, e, machine := drive(t)
	o := d.MustApply(ctx, rdnsType, nil, map[string]any{"address": ipv4, "hostname": "www.example.com"})
	remove := e.Inject(emulator.Fault{Status: http.StatusNotFound})
	wrong := e.NewDriver(t, nil)
	read, diags := wrong.Refresh(ctx, o)
	if text := acctest.DiagText(diags); read == nil || !strings.Contains(text, "The state is unchanged.") {
		t.Errorf("read as %v\n%s", read.Get(""), text)
	}
	after, diags := wrong.Apply(ctx, rdnsType, wrong.Plan(ctx, rdnsType, o, nil))
	if text := acctest.DiagText(diags); after == nil || !strings.Contains(text, `The service does not show the account "demo" to these credentials`) {
		t.Errorf("destroyed\n%s", text)
	}
	remove()
	remove = e.Inject(emulator.Fault{Match: func(r emulator.Request) bool { return r.Path != "/accounts" }, Status: http.StatusNotFound})
	if read, diags := e.NewDriver(t, nil).Refresh(ctx, o); read == nil || !acctest.HasErrors(diags) {
		t.Errorf("with credentials that see another account only: read as %v\n%s", read.Get(""), acctest.DiagText(diags))
	}
	remove()
	e.Purge(machine)
	e.ResetJournal()
	for range 3 {
		if read := d.MustRefresh(ctx, o); read != nil {
			t.Errorf("nobody has the address, but read as %v", read.Get(""))
		}
	}
	if calls := e.AllCalls(); len(calls) != 4 || !slices.Contains(calls, "GET /accounts/demo") {
		t.Errorf("requests: %v", calls)
	}
}

// TestUnconfiguredProvider: the provider's arguments are not known yet, and the
// state was written by a CLI without identities.
func TestUnconfiguredProvider(t *testing.T) {
	t.Parallel()
	ctx := t.Context()
	d, e, _ := drive(t)
	o := d.MustApply(ctx, rdnsType, nil, map[string]any{"address": ipv4, "hostname": "www.example.com"})
	o.Identity = nil
	e.ResetJournal()
	read := e.NewDriver(t, map[string]any{"endpoint": acctest.Unknown}).MustRefresh(ctx, o)
	if read.GetIdentity("address") != ipv4 || len(e.AllCalls()) > 0 {
		t.Errorf("identity %v, requests %v", read.GetIdentity("address"), e.AllCalls())
	}
}
