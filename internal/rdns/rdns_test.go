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

const (
	rdnsType = "cloudserver_rdns"
	ipv4     = "192.0.2.10"
	ipv6     = "2001:db8:1::10"
	www      = "www.example.com"
)

func TestMain(m *testing.M) { acctest.Main(m) }

type object = map[string]any

func named(address, hostname string) object { return object{"address": address, "hostname": hostname} }

// world is a service with a machine that has both addresses.
type world struct {
	*testing.T
	d       *acctest.Driver
	e       *acctest.Emulator
	machine int64
}

func newWorld(t *testing.T) *world {
	t.Helper()
	t.Parallel()
	return worldIn(t)
}

// worldIn is newWorld in simulated time.
func worldIn(t *testing.T) *world {
	t.Helper()
	w := &world{T: t}
	w.d, w.e = acctest.Drive(t, emulator.Options{}, nil)
	w.machine = w.e.AddMachine("demo", emulator.PrivateGroup, emulator.Machine{
		Name: "web1", Interfaces: []emulator.Interface{{MAC: "52:54:00:00:00:01", IPs: []string{ipv4, ipv6}}},
	})
	return w
}

// process returns a provider process that has read nothing yet.
func (w *world) process() *acctest.Driver { return w.e.NewDriver(w.T, nil) }

func (w *world) set(d *acctest.Driver, prior *acctest.Object, config object) *acctest.Object {
	return d.MustApply(w.Context(), rdnsType, prior, config)
}

// nameOf returns the name that an address has at the service.
func (w *world) nameOf(address string) any {
	return w.process().MustImport(w.Context(), rdnsType, address).Get("hostname")
}

// destroy destroys a name, and returns the diagnostics as text.
func (w *world) destroy(d *acctest.Driver, o *acctest.Object) string {
	w.Helper()
	left, diags := d.Apply(w.Context(), rdnsType, d.Plan(w.Context(), rdnsType, o, nil))
	if left != nil || acctest.HasErrors(diags) {
		w.Errorf("left %v", left)
	}
	return acctest.DiagText(diags)
}

// expect compares a text with phrases; without any it must be empty.
func (w *world) expect(text string, phrases ...string) {
	w.Helper()
	for _, phrase := range phrases {
		if !strings.Contains(text, phrase) {
			w.Errorf("want %q in:\n%s", phrase, text)
		}
	}
	if len(phrases) == 0 && text != "" {
		w.Errorf("got:\n%s", text)
	}
}

func TestLife(t *testing.T) {
	w := newWorld(t)
	for _, address := range []string{ipv4, ipv6} {
		w.e.ResetJournal()
		o := w.set(w.d, nil, named(address, www))
		w.d.ExpectPlan(w.Context(), o, named(address, www), acctest.ActionNoOp)
		w.d.ExpectPlan(w.Context(), o, named(address, "www2.example.com"), acctest.ActionUpdate)
		o = w.set(w.d, o, named(address, "www2.example.com"))
		w.set(w.d, o, nil)
		acctest.ExpectCalls(t, w.e, "PUT /ips/"+address, "PUT /ips/"+address, "PUT /ips/"+address)
		if name := w.nameOf(address); name != "web1.private.demo."+emulator.ClusterDomain {
			t.Errorf("destroyed, but the name is %v", name)
		}
	}
}

func TestSpellingIsNoChange(t *testing.T) {
	w := newWorld(t)
	o := w.set(w.d, nil, named("2001:DB8:1:0::10", "WWW.example.com."))
	other := w.process()
	imported := other.MustImport(w.Context(), rdnsType, ipv6)
	w.set(other, imported, named(ipv6, www)) // the service has another spelling from then on
	for _, address := range []string{ipv6, "2001:DB8:1:0::10"} {
		for hostname, want := range map[string]acctest.Action{"WWW.example.com.": acctest.ActionNoOp, "www.Example.com": acctest.ActionNoOp, "www2.example.com": acctest.ActionUpdate} {
			w.d.ExpectPlan(w.Context(), o, named(address, hostname), want)
			w.d.ExpectPlan(w.Context(), imported, named(address, hostname), want)
		}
	}
	w.d.ExpectPlan(w.Context(), o, named(ipv4, www), acctest.ActionReplace)
}

func TestNameThatIsGone(t *testing.T) {
	w := newWorld(t)
	o := w.set(w.d, nil, named(ipv4, www))
	empty := w.e.Inject(emulator.Fault{
		Match:  func(r emulator.Request) bool { return r.Method == http.MethodGet },
		Status: 200, Body: `{"address":"` + ipv4 + `","rdns":null}`,
	})
	if read := w.d.MustRefresh(w.Context(), o); read != nil {
		t.Errorf("there is no name, but read as %v", read.Get(""))
	}
	empty()
	w.e.Purge(w.machine)
	w.e.ResetJournal()
	for range 3 {
		if read := w.d.MustRefresh(w.Context(), o); read != nil {
			t.Errorf("nobody holds the address, but read as %v", read.Get(""))
		}
	}
	const denied, groups = "GET /ips/" + ipv4, "GET /accounts/demo/groups"
	const proof = "GET /accounts/demo" // it comes after each denial
	home := []string{                  // whether it is still our service that denies the address
		"GET /accounts", groups, groups + "/default/virtual_machines?include_deleted=true", groups + "/private/virtual_machines?include_deleted=true",
	}
	if calls := w.e.AllCalls(); !slices.Equal(calls, slices.Repeat(append([]string{denied, proof, denied, proof}, home...), 3)) {
		t.Errorf("requests: %v", calls)
	}
	w.set(w.d, o, nil) // no error
}

func TestImportAndRefusals(t *testing.T) {
	w := newWorld(t)
	if o := w.d.MustImport(w.Context(), rdnsType, "::ffff:"+ipv4); o.Get("address") != ipv4 || o.GetIdentity("address") != ipv4 {
		t.Errorf("imported as %v", o.Get(""))
	}
	for text, want := range map[string]string{"web1": "is not an IP address", ipv4 + "/24": "without a prefix length", "192.0.2.99": "GET /ips/192.0.2.99 answered 404 Not Found"} {
		_, diags := w.d.Import(w.Context(), rdnsType, text)
		w.expect(acctest.DiagText(diags), want)
	}
	for address, want := range map[string][]string{
		ipv4:         {"error at hostname: Cannot set the reverse DNS name of " + ipv4, "Correct hostname, and run apply again."},
		"192.0.2.99": {"error at address: ", "No machine that these credentials can see has the address"},
	} {
		o, diags := w.d.Apply(t.Context(), rdnsType, w.d.Plan(t.Context(), rdnsType, nil, named(address, "name_without_dots")))
		if w.expect(acctest.DiagText(diags), want...); o != nil {
			t.Errorf("there is a name: %v", o.Get(""))
		}
	}
}

func TestDataSource(t *testing.T) {
	w := newWorld(t)
	w.set(w.d, nil, named(ipv6, www))
	for address, want := range map[string]string{ipv4: "web1.private.demo." + emulator.ClusterDomain, ipv6: www} {
		w.e.ResetJournal()
		o, diags := w.d.ReadData(t.Context(), rdnsType, object{"address": address})
		if acctest.HasErrors(diags) || o.Get("hostname") != want || !slices.Equal(w.e.AllCalls(), []string{"GET /ips/" + address}) {
			t.Errorf("%s: got %v, want %s\n%s%v", address, o.Get("hostname"), want, acctest.DiagText(diags), w.e.AllCalls())
		}
	}
	_, diags := w.d.ReadData(t.Context(), rdnsType, object{"address": "203.0.113.9"})
	w.expect(acctest.DiagText(diags), "error at address: Cannot read the reverse DNS name of 203.0.113.9")
}

func TestWhatCannotBe(t *testing.T) {
	w := newWorld(t)
	label := strings.Repeat("a", 63)
	good := []string{
		www, "www.example.com.", "_dmarc.example.com", "xn--bcher-kva.example", "1.2.0.192.in-addr.arpa",
		label + ".example", strings.Repeat(label+".", 3) + "a.bcd", strings.Repeat("a.", 127), // 253 without the last dot
	}
	for i, hostname := range append(good, "", ".", "192.0.2.25", "a..b", ".a.b", "a.b..", "a b", "-a.example", "a-.example", "*.example.com",
		"https://a.example", "bücher.example", label+"a.example", strings.Repeat("a.", 127)+"b") {
		text := acctest.DiagText(w.d.Validate(rdnsType, named(ipv4, hostname)))
		if isGood := i < len(good); isGood != (text == "") || !isGood && !strings.HasPrefix(text, "error at hostname: Invalid hostname") {
			t.Errorf("%q: got:\n%s", hostname, text)
		}
	}
	w.expect(acctest.DiagText(w.d.Validate(rdnsType, named(ipv4+"/32", www))), "error at address: Invalid IP address")
	w.expect(acctest.DiagText(w.d.Validate(rdnsType, object{"address": acctest.Unknown, "hostname": acctest.Unknown})))
}

// TestReplacedNameStays: the new resource of an address sets the name before the old
// one is destroyed, with create_before_destroy or under a new key.
func TestReplacedNameStays(t *testing.T) {
	w := newWorld(t)
	old := w.set(w.process(), nil, named(ipv4, www))
	d := w.process()
	created := w.set(d, nil, named(ipv4, www))
	w.e.ResetJournal()
	w.expect(w.destroy(d, old))
	acctest.ExpectCalls(t, w.e)
	d.ExpectPlan(w.Context(), created, named(ipv4, www), acctest.ActionNoOp)

	// In the other order the name is reset first, and set again.
	d = w.process()
	w.destroy(d, created)
	created = w.set(d, nil, named(ipv4, www))
	acctest.ExpectCalls(t, w.e, "PUT /ips/"+ipv4, "PUT /ips/"+ipv4)
	if before, _ := w.nameOf(ipv4), w.destroy(d, created); before != www || w.nameOf(ipv4) == www {
		t.Errorf("the name was %v, and is %v", before, w.nameOf(ipv4))
	}
}

// TestNamesUnderNewKeys: names are created and destroyed concurrently, and none is lost.
func TestNamesUnderNewKeys(t *testing.T) {
	w := newWorld(t)
	for range 20 {
		old := w.set(w.process(), nil, named(ipv4, www))
		d, created := w.process(), make(chan struct{})
		go func() {
			defer close(created)
			w.set(d, nil, named(ipv4, www))
		}()
		w.destroy(d, old)
		<-created
		if name := w.nameOf(ipv4); name != www {
			t.Fatalf("the name is %s", name)
		}
	}
}

// TestStrangersNameStays: a name that somebody else has set is not reset, whether a refresh has seen it or not. The same
// name in other letters is.
func TestStrangersNameStays(t *testing.T) {
	w := newWorld(t)
	created, d := w.set(w.process(), nil, named(ipv4, www)), w.process()
	imported := d.MustImport(w.Context(), rdnsType, ipv4)
	theirs := w.set(w.process(), nil, named(ipv4, "stranger.example"))
	w.e.ResetJournal()
	for _, o := range []*acctest.Object{created, imported} {
		w.expect(w.destroy(d, d.MustRefresh(t.Context(), o)),
			"The reverse DNS name stays", "The reverse DNS name of "+ipv4+` is "stranger.example", and this resource set "www.example.com"`)
	}
	acctest.ExpectCalls(t, w.e)
	w.expect(w.destroy(d, theirs)) // in another process, by the one who set it

	created = w.set(w.process(), nil, named(ipv4, www))
	w.set(w.process(), nil, named(ipv4, "WWW.example.COM"))
	w.expect(w.destroy(w.process(), created))
	if name := w.e.ReverseName(ipv4); name != "" {
		t.Errorf("the name is %q", name)
	}
}

// TestPlanOfANewName: two names for one address are refused. There is a warning of an existing name, but not of the
// machine's hostname, nor of the first name of a new address. One request is sent, if it can decide.
func TestPlanOfANewName(t *testing.T) {
	w := newWorld(t)
	one := w.process().OneRun()
	w.expect(acctest.DiagText(one.Plan(t.Context(), rdnsType, nil, named(ipv6, "a.example")).Diagnostics))
	w.expect(acctest.DiagText(one.Plan(t.Context(), rdnsType, nil, named("2001:DB8:1::10", "b.example")).Diagnostics), "error at address: Duplicate reverse DNS name")

	vm := w.d.MustImport(w.Context(), "cloudserver_vm", fmt.Sprint(w.machine))
	plan := func(read *acctest.Object, hostname string, phrases ...string) {
		t.Helper()
		run, asks := w.process().OneRun(), []string{"GET /ips/" + ipv4}
		if read != nil {
			run.MustRefresh(t.Context(), read)
		}
		w.e.ResetJournal()
		w.expect(acctest.DiagText(run.Plan(t.Context(), rdnsType, nil, named(ipv4, hostname)).Diagnostics), phrases...)
		if calls := w.e.AllCalls(); !slices.Equal(calls, asks) {
			t.Errorf("requests %v", calls)
		}
	}
	plan(vm, www)
	theirs := w.set(w.d, nil, named(ipv4, "theirs.example"))
	plan(vm, www, "warning at address", `is "theirs.example", and applying this plan overwrites it.`, "To keep it, import it instead", `id = "`+ipv4+`"`)
	plan(theirs, www, "Another resource of this configuration has this address in the state")
	plan(theirs, "theirs.example")
	plan(nil, www)
	w.expect(acctest.DiagText(w.process().OneRun().Plan(t.Context(), rdnsType, nil, named("203.0.113.9", www)).Diagnostics),
		"warning at address: No machine has the address", "its management_address has no reverse name")

	run := w.process()
	made := run.MustApply(w.Context(), "cloudserver_vm", nil, object{"name": "web2", "disc": []object{{"label": "vda", "size": 25600}}})
	address := made.Get("ipv4_address").(string)
	w.set(w.d, nil, named(address, "192-0-2-1.default.example")) // the service's own, whatever it is
	w.expect(acctest.DiagText(run.Plan(t.Context(), rdnsType, nil, named(address, www)).Diagnostics))
}

// TestNameThatMovesToAnotherAddress: the name is replaced, and its first plan says that no machine has the new address,
// or that the address has a name. Whether a machine that the same plan creates gets the address, it cannot know from
// the service.
func TestNameThatMovesToAnotherAddress(t *testing.T) {
	w := newWorld(t)
	o := w.set(w.d, nil, named(ipv4, www))
	for address, says := range map[string]string{"198.51.100.77": "No machine has the new address", ipv6: ""} {
		plan := w.process().Plan(w.Context(), rdnsType, o, named(address, www))
		text := acctest.DiagText(plan.Warnings())
		if plan.Action != acctest.ActionReplace || !strings.Contains(text, says) || says == "" && text != "" {
			t.Errorf("%s: plan %s\n%s", address, plan.Action, text)
		}
	}
	creates := w.e.NewDriver(t, nil).OneRun()
	creates.Plan(w.Context(), "cloudserver_vm", nil, object{"name": "web2", "group": "private", "ips": object{"ipv4": "198.51.100.77"}})
	if plan := creates.Plan(w.Context(), rdnsType, o, named("198.51.100.77", www)); len(plan.Warnings()) > 0 {
		t.Errorf("an address that the same plan creates: %s", acctest.DiagText(plan.Warnings()))
	}
}

// domain replaces the cluster domain in answers, and more by pairs.
func domain(domain string, pairs ...string) func(int, http.Header, []byte) (int, http.Header, []byte) {
	replace := strings.NewReplacer(append(pairs, emulator.ClusterDomain, domain)...)
	return func(status int, header http.Header, body []byte) (int, http.Header, []byte) {
		return status, header, []byte(replace.Replace(string(body)))
	}
}
