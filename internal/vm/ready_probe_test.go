package vm_test

import (
	"bytes"
	"fmt"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/hashicorp/terraform-plugin-log/tflogtest"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/acctest"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/emulator"
)

// overHTTP is a machine that counts as up when it answers /health with success.
var overHTTP = given{"ready.port": 8080, "ready.http_path": "/health", "ready.timeout": "2m", "cores": 2, leave: true}

// TestReadyBadInput: invalid values are errors of validate, at the attribute to blame.
func TestReadyBadInput(t *testing.T) {
	t.Parallel()
	d, _ := acctest.Drive(t, emulator.Options{}, nil)
	path, tls := given{"ready.http_path": "/"}, given{"ready.http_path": "/", "ready.https": true}
	for _, test := range []struct {
		config, also given
		at           string // and what the error says
	}{
		{
			config: given{"ready.http_path": "health"},
			at:     "error at ready.http_path: Invalid path\nready.http_path must be a path that begins with a slash",
		},
		{config: given{"ready.http_path": ""}, at: "error at ready.http_path: Invalid path"},
		{config: given{"ready.http_path": "/a b"}, at: "error at ready.http_path: Invalid path"},
		{
			config: given{"ready.http_status": "2xx"},
			also:   path,
			at:     "error at ready.http_status: Invalid HTTP status\nready.http_status must be HTTP statuses from 200 to 599",
		},
		{
			config: given{"ready.http_status": "299-200"},
			also:   path,
			at:     `error at ready.http_status: Invalid HTTP status`,
		},
		{
			config: given{"ready.http_host": "https://www.example.com"},
			also:   path,
			at:     "error at ready.http_host: Invalid host",
		},
		{config: given{"ready.http_host": "a\r\nX: y"}, also: path, at: "error at ready.http_host: Invalid host"},
		{
			config: given{"ready.ca_certificate": "/nonexistent/ca.pem"},
			also:   tls,
			at:     "error at ready.ca_certificate: Invalid ca_certificate\nready.ca_certificate must be PEM text, or the path of a PEM file",
		},
		{
			config: given{"ready.ca_certificate": "-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----"},
			also:   tls,
			at:     "error at ready.ca_certificate: Invalid ca_certificate",
		},
		{
			config: given{"ready.ca_certificate": ""},
			also:   tls,
			at:     "error at ready.ca_certificate: Invalid ca_certificate",
		},
		{config: given{"ready.http_status": "200"}, at: "error at ready.http_status: Missing http_path"},
		{config: given{"ready.http_host": "www.example.com"}, at: "error at ready.http_host: Missing http_path"},
		{config: given{"ready.https": true}, at: "error at ready.https: Missing http_path"},
		{
			config: given{"ready.ca_certificate": authorityPEM("one")},
			also:   path,
			at:     "error at ready.ca_certificate: Unused ca_certificate",
		},
		// Valid values, and unknown ones that may be valid.
		{config: given{"ready.https": false}},
		{config: given{"ready.http_path": acctest.Unknown}},
		{config: given{"ready.http_status": "200"}, also: given{"ready.http_path": acctest.Unknown}},
		{config: given{"ready.ca_certificate": authorityPEM("one")}, also: tls},
		{
			config: given{"ready.ca_certificate": authorityPEM("one")},
			also:   given{"ready.http_path": "/", "ready.https": acctest.Unknown},
		},
	} {
		diags := d.Validate(vmType, configured(given{"ready.port": 22}, test.also, test.config))
		if text := acctest.DiagText(diags); (text == "") != (test.at == "") || !strings.Contains(text, test.at) {
			t.Errorf("%v and %v: want %q in\n%s", test.config, test.also, test.at, text)
		}
	}
}

// TestBadReleaseIsOwed: a machine that answers with an error after its image was changed is not ready, the error has the answer, and the
// next apply waits for a better one.
func TestBadReleaseIsOwed(t *testing.T) {
	inWorld(t, guests, func(t *testing.T, d *acctest.Driver, e *acctest.Emulator) {
		ctx := t.Context()
		release := func(distribution string) object {
			return configured(image, inPlace, overHTTP, given{"reimage.distribution": distribution})
		}
		o := d.MustApply(ctx, vmType, nil, release("bookworm"))
		address := textOf(o.Get("ipv4_address"))
		e.SetHTTPStatus(onlyMachine(t, e).ID, 503)
		config := release("noble")
		o = expectFailure(t, d, o, config, "Updated", "but it is not ready",
			"Waited 2m0s for GET http://"+address+":8080/health to answer 200-299: timed out; last seen: GET http://"+address+":8080/health answered 503 Service Unavailable (attempt ",
			"raise ready.timeout")
		expectState(t, o, given{"power_on": true, "reimage.distribution": "noble"})

		e.SetHTTPStatus(onlyMachine(t, e).ID, 302)
		o = expectFailure(t, d, d.MustRefresh(ctx, o), config, "answered 302 Found")
		o = applyCleanly(t, d, e, o, configured(config, given{"ready.http_status": "200-299,302"}), "")
		e.SetHTTPStatus(onlyMachine(t, e).ID, 0)
		o = applyCleanly(t, d, e, o, config, "") // nothing is owed, so nothing is asked
		applyCleanly(t, d, e, o, release("trixie"), "PUT autoreboot_on=false; signal powerdown; reimage distribution=trixie root_password=test-only; PUT autoreboot_on=true")
	})
}

// TestReadyAddresses: the address comes from the service, which is not trusted. The provider does not connect to this
// computer or its network, unless the user has configured the address, or the service also runs here.
func TestReadyAddresses(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		endpoint, address, host, says string
	}{
		{endpoint: "https://api.example.com", address: "127.77.0.2", says: "reports 127.77.0.2 as the address of the machine, which is not one of another computer"},
		{endpoint: "https://api.example.com", address: "169.254.169.254", says: "which is not one of another computer"},
		{endpoint: "https://api.example.com", address: "224.0.0.1", says: "which is not one of another computer"},
		{endpoint: "https://api.example.com", address: "0.0.0.0", says: "which is not one of another computer"},
		{endpoint: "https://api.example.com", address: "127.77.0.2", host: "127.77.0.2"},
		{endpoint: "https://api.example.com", address: "203.0.113.5"},
		{endpoint: "http://127.0.0.1", address: "127.77.0.2"},
		{endpoint: "http://localhost:8787", address: "127.77.0.2"},
		{endpoint: "http://[::1]:8787", address: "127.77.0.2"},
	} {
		inWorldNamed(t, test.endpoint+" "+test.address+" "+test.host, guests, func(t *testing.T, d *acctest.Driver, e *acctest.Emulator) {
			ctx := t.Context()
			o := d.MustApply(ctx, vmType, nil, configured(awaited))
			if address := textOf(o.Get("ipv4_address")); address != "127.77.0.2" {
				t.Fatalf("the address is %s", address)
			}
			changeMachine(t, e, func(m *emulator.Machine) { m.Interfaces[0].IPs = []string{test.address} })
			d = e.NewDriver(t, given{"endpoint": test.endpoint})
			var dialled []string
			d.WatchDials(func(address string) { dialled = append(dialled, address) })
			config := configured(awaited, given{"cores": 4})
			if test.host != "" {
				config = configured(config, given{"ready.host": test.host})
			}
			_, diags, took := applyTimed(t, d, d.Plan(ctx, vmType, d.MustRefresh(ctx, o), config))
			text := acctest.DiagText(acctest.Errors(diags))
			if (text == "") != (test.says == "") || !strings.Contains(text, test.says) {
				t.Errorf("want %q in\n%s", test.says, text)
			}
			if refused := strings.Contains(text, "which is not"); refused && (len(dialled) > 0 || took > time.Minute || !strings.Contains(text, "Set ready.host")) {
				t.Errorf("dialled %q, after %s:\n%s", dialled, took, text)
			}
		})
	}
}

// TestWaitsAreTold: while an apply waits, the log has every 30 seconds what it waits for and what was last seen. The
// final error uses the same words.
func TestWaitsAreTold(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		d, e := acctest.Drive(t, emulator.Options{BootTime: 34 * time.Second, IgnorePowerdown: true, Guests: true}, given{"max_unavailable": 1})
		config := func(name string, cores int) object {
			return named(name, overHTTP, given{"cores": cores, "ready.timeout": "45s", "shutdown_timeout": "40s"})
		}
		one, two := d.MustApply(t.Context(), vmType, nil, config("web1", 2)), d.MustApply(t.Context(), vmType, nil, config("web2", 2))
		e.SetHTTPStatus(parsed(one.Get("id").(string)), 503)
		var log bytes.Buffer
		ctx := tflogtest.RootLogger(t.Context(), &log)
		first, second := d.Plan(ctx, vmType, one, config("web1", 4)), d.Plan(ctx, vmType, two, config("web2", 4))
		done := make(chan string)
		go func() {
			_, diags := d.Apply(ctx, vmType, first)
			done <- acctest.DiagText(acctest.Errors(diags))
		}()
		synctest.Wait()
		_, diags := d.Apply(ctx, vmType, second)
		failure := <-done
		acctest.ExpectError(t, acctest.Errors(diags), "Not updated: the rollout ended with")
		entries, err := tflogtest.MultilineJSONDecode(&log)
		if err != nil {
			t.Fatal(err)
		}
		var told []string
		for _, entry := range entries {
			if text := fmt.Sprint(entry["@message"]); entry["@level"] == "info" && strings.HasPrefix(text, "virtual machine") {
				told = append(told, text)
			}
		}
		all := strings.Join(told, "\n")
		const answered = "to answer 200-299, 30s so far; last seen: GET http://127.77.0.2:8080/health answered 503 Service Unavailable (attempt "
		for _, want := range []string{
			`virtual machine "web2": waiting for a slot among max_unavailable = 1; last seen: in progress is virtual machine "web1"`,
			`virtual machine "web2": waiting for a slot among max_unavailable = 1, 1m30s so far; last seen: in progress is virtual machine "web1"`,
			`virtual machine "web1": asking the guest to shut down`,
			`virtual machine "web1": waiting for the guest to shut down, 30s so far; last seen: power_on is true`,
			`virtual machine "web1": the guest has not shut down in time: switching the machine off`,
			`virtual machine "web1": starting the machine`,
			`virtual machine "web1": waiting for the machine to be on, 30s so far; last seen: power_on is false`,
			`virtual machine "web1": waiting for GET http://127.77.0.2:8080/health to answer 200-299`,
			`virtual machine "web1": waiting for GET http://127.77.0.2:8080/health ` + answered,
		} {
			if !strings.Contains(all, want) {
				t.Errorf("want %q in\n%s", want, all)
			}
		}
		if want := "for GET http://127.77.0.2:8080/health to answer 200-299: timed out; last seen: GET http://127.77.0.2:8080/health answered 503 Service Unavailable (attempt "; !strings.Contains(failure, want) {
			t.Errorf("want %q in\n%s", want, failure)
		}
	})
}
