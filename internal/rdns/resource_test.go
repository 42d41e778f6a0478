package rdns_test

import (
	"net/http"
	"slices"
	"strings"
	"testing"

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
}

func TestMappedAddressIsTheIPv4Address(t *testing.T) {
	t.Parallel()
	d, _, _ := drive(t)
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

func TestNameOfAnAddress(t *testing.T) {
	t.Parallel()
	d, e, _ := drive(t)
	d.MustApply(t.Context(), rdnsType, nil, map[string]any{"address": ipv6, "hostname": "www.example.com"})
	e.ResetJournal()
	for address, want := range map[string]string{ipv4: "web1.private.demo." + emulator.ClusterDomain, ipv6: "www.example.com"} {
		o, diags := d.ReadData(t.Context(), rdnsType, map[string]any{"address": address})
		if acctest.HasErrors(diags) || o.Get("hostname") != want {
			t.Errorf("%s: got %v, want %s\n%s", address, o.Get("hostname"), want, acctest.DiagText(diags))
		}
	}
	calls := slices.Sorted(slices.Values(e.AllCalls()))
	if !slices.Equal(calls, []string{"GET /ips/" + ipv4, "GET /ips/" + ipv6}) {
		t.Errorf("requests: %v", calls)
	}
	_, diags := d.ReadData(t.Context(), rdnsType, map[string]any{"address": "203.0.113.9"})
	if text := acctest.DiagText(diags); !strings.HasPrefix(text, "error at address: Cannot read the reverse DNS name of 203.0.113.9") {
		t.Errorf("an address of nobody:\n%s", text)
	}
}

func TestWhatCannotBe(t *testing.T) {
	t.Parallel()
	d, e := acctest.Drive(t, emulator.Options{}, nil)
	label := strings.Repeat("a", 63)
	good := []string{
		"www.example.com", "www.example.com.", "_dmarc.example.com", "xn--bcher-kva.example", "1.2.0.192.in-addr.arpa",
		label + ".example", strings.Repeat(label+".", 3) + "a.bcd", strings.Repeat("a.", 127), // 253 without the last dot
	}
	for i, hostname := range append(good, "", ".", "192.0.2.25", "a..b", ".a.b", "a.b..", "a b", "-a.example", "a-.example", "*.example.com",
		"https://a.example", "bücher.example", label+"a.example", strings.Repeat("a.", 127)+"b") {
		text := acctest.DiagText(d.Validate(rdnsType, map[string]any{"address": ipv4, "hostname": hostname}))
		if isGood := i < len(good); isGood != (text == "") || !isGood && !strings.HasPrefix(text, "error at hostname: Invalid hostname") {
			t.Errorf("%q: got:\n%s", hostname, text)
		}
	}
	for address, want := range map[string]string{
		"web1": "", ipv4 + "/32": "", "fe80::1%eth0": "", "::ffff:" + ipv4: "Set " + ipv4,
	} {
		diags := d.Validate(rdnsType, map[string]any{"address": address, "hostname": "a.example"})
		if text := acctest.DiagText(diags); !strings.Contains(text, "error at address: Invalid IP address") || !strings.Contains(text, want) {
			t.Errorf("%s: got:\n%s", address, text)
		}
	}
	if diags := d.Validate(rdnsType, map[string]any{"address": acctest.Unknown, "hostname": acctest.Unknown}); acctest.HasErrors(diags) {
		t.Errorf("unknown values: %s", acctest.DiagText(diags))
	}
	if calls := e.AllCalls(); len(calls) > 0 {
		t.Errorf("asked %v", calls)
	}
}
