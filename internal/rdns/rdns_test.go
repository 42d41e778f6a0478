// SPDX-License-Identifier: MPL-2.0

package rdns_test

import (
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

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
	return worldIn(t, emulator.Options{})
}

func worldIn(t *testing.T, options emulator.Options) *world {
	t.Helper()
	w := &world{T: t}
	w.d, w.e = acctest.Drive(t, options, nil)
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
	if read := w.d.MustRefresh(w.Context(), o); read != nil {
		t.Errorf("no machine has the address, but read as %v", read.Get(""))
	}
	if calls := w.e.AllCalls(); !slices.Equal(calls, []string{"GET /ips/" + ipv4, "GET /accounts/demo"}) {
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
		ipv4:         {"error at hostname: Cannot set the reverse DNS name of " + ipv4, "rdns is invalid"},
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

// TestUnusualNames: the plan warns of a name that is none of a host.
func TestUnusualNames(t *testing.T) {
	w := newWorld(t)
	for hostname, want := range map[string]string{
		"mail": "It has no dot.", "mail_1.example.com": "and no underscore", "mail-1.example.com.": "",
	} {
		text := acctest.DiagText(w.d.Plan(t.Context(), rdnsType, nil, named(ipv4, hostname)).Diagnostics)
		if !strings.Contains(text, want) || want == "" && text != "" {
			t.Errorf("%s: %s", hostname, text)
		}
	}
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

// TestNamesUnderNewKeys: names are created and destroyed concurrently, and none is lost, whatever the order.
func TestNamesUnderNewKeys(t *testing.T) {
	t.Parallel()
	for _, delay := range []time.Duration{-time.Second, -time.Millisecond, 0, time.Millisecond, time.Second} {
		synctest.Test(t, func(t *testing.T) {
			w := worldIn(t, emulator.Options{Latency: time.Millisecond})
			old := w.set(w.process(), nil, named(ipv4, www))
			d := w.process()
			var all sync.WaitGroup
			all.Go(func() {
				time.Sleep(max(0, delay))
				w.set(d, nil, named(ipv4, www))
			})
			time.Sleep(max(0, -delay))
			w.destroy(d, old)
			all.Wait()
			if name := w.nameOf(ipv4); name != www {
				t.Errorf("%s: the name is %s", delay, name)
			}
		})
	}
}

// TestNameInOtherLetters: the service may spell the name in other letters. It is reset.
func TestNameInOtherLetters(t *testing.T) {
	w := newWorld(t)
	o := w.set(w.d, nil, named(ipv4, www))
	w.set(w.process(), nil, named(ipv4, "other.example"))
	w.set(w.process(), nil, named(ipv4, "WWW.example.COM"))
	w.expect(w.destroy(w.d, o))
	if name := w.e.ReverseName(ipv4); name != "" {
		t.Errorf("the name is %q", name)
	}
}

// TestUnknownAddress: an unknown address replaces the resource only if the same plan makes or moves a machine. Otherwise
// an equal one sends nothing, and with another one Terraform refuses the apply.
func TestUnknownAddress(t *testing.T) {
	machine := object{"name": "web2", "cores": 1, "memory": 1024, "disc": []object{{"label": "vda", "size": 25600}}}
	for name, test := range map[string]struct {
		machine object // that the same process plans; nil: none
		want    acctest.Action
	}{
		"alone":                {nil, acctest.ActionUpdate},
		"beside a new machine": {machine, acctest.ActionReplace},
	} {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t)
			o := w.set(w.d, nil, named(ipv4, www))
			d := w.process()
			if test.machine != nil {
				d.Plan(w.Context(), "cloudserver_vm", nil, test.machine)
			}
			w.e.ResetJournal()
			unknown := object{"address": acctest.Unknown, "hostname": www}
			plan := d.ExpectPlan(w.Context(), o, unknown, test.want)
			if _, diags := w.process().ApplyWith(w.Context(), plan, named(ipv4, www)); acctest.HasErrors(diags) {
				t.Error(acctest.DiagText(diags))
			}
			if calls := w.e.Calls(); (len(calls) == 0) != (test.want == acctest.ActionUpdate) {
				t.Errorf("calls %v", calls)
			}
			if name := w.nameOf(ipv4); name != www {
				t.Errorf("the name is %v", name)
			}
		})
	}
}
