package guest_test

import (
	"bytes"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/netip"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/emulator"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/emulator/guest"
)

// dial returns what a guest sends, or the error of the connection.
func dial(address string) string {
	connection, err := net.Dial("tcp", address)
	if err != nil {
		return err.Error()
	}
	defer func() { _ = connection.Close() }()
	text, err := io.ReadAll(connection)
	if err != nil {
		return err.Error()
	}
	return string(text)
}

// TestGuests: guests follow the power of their machines. A change has taken effect when it is answered.
func TestGuests(t *testing.T) {
	t.Parallel()
	start := time.Now()
	e := emulator.New(emulator.Options{Guests: true, BootTime: 30 * time.Second, GuestBoot: time.Second, Now: func() time.Time { return start }})
	var complaints bytes.Buffer
	host, err := guest.Serve(t.Context(), e, guest.Ports{guest.Greeting: 0}, &complaints)
	if err != nil {
		t.Fatal(err)
	}
	client := &http.Client{Transport: e.Transport()}
	do := func(method, path, body string) {
		t.Helper()
		r, err := http.NewRequestWithContext(t.Context(), method, "http://emulator/accounts/demo/groups/default"+path, strings.NewReader(body))
		if err != nil {
			t.Fatal(err)
		}
		r.Header.Set("Authorization", "Bearer "+emulator.DemoAPIKey)
		r.Header.Set("Content-Type", "application/json")
		answer, err := client.Do(r)
		if err != nil || answer.StatusCode/100 != 2 {
			t.Fatalf("%s %s: %v, %v", method, path, answer, err)
		}
		_ = answer.Body.Close()
	}
	do("POST", "/vm_create", `{"virtual_machine":{"name":"web1","autoreboot_on":true},"discs":[{"label":"vda","size":50}]}`)
	web := e.Machines()[0]
	if ip := web.Interfaces[0].IPs[0]; ip != "127.77.0.2" {
		t.Fatalf("address %s", ip)
	}
	address := fmt.Sprintf("127.77.0.2:%d", host.Port(guest.Greeting))
	answers := func(what string, want bool) {
		t.Helper()
		got := dial(address)
		if got != "web1.default.demo.cluster.example\r\n" && (want || !strings.Contains(got, "refused")) || !want && !strings.Contains(got, "refused") {
			t.Errorf("%s: %q", what, got)
		}
		if _, ok := e.GuestAt(netip.MustParseAddr("127.77.0.2")); ok != want {
			t.Errorf("%s in memory: %t", what, ok)
		}
	}
	const machine = "/virtual_machines/web1"
	answers("created", false)
	e.Advance(30 * time.Second)
	answers("power on", false)
	e.Advance(time.Second)
	answers("booted", true)
	do("PUT", machine, `{"power_on":false}`)
	answers("off", false)
	e.Advance(31 * time.Second)
	answers("back", true)
	e.SetDeaf(web.ID, true)
	answers("deaf", false)
	e.SetDeaf(web.ID, false)
	answers("hears again", true)
	do("PUT", machine, `{"autoreboot_on":false}`)
	do("POST", machine+"/signal", `{"signal":"powerdown"}`)
	e.Advance(time.Millisecond)
	answers("shut down", false)
	do("PUT", machine, `{"autoreboot_on":true,"power_on":true}`)
	e.Advance(time.Minute)
	answers("on", true)
	if _, err := guest.Serve(t.Context(), emulator.New(emulator.Options{Guests: true}), guest.Ports{guest.Greeting: host.Port(guest.Greeting)}, io.Discard); err == nil || !strings.Contains(err.Error(), "in use") {
		t.Errorf("a second emulator: %v", err)
	}
	for n := range guest.Most + 3 {
		e.AddMachine("demo", "default", emulator.Machine{Name: fmt.Sprintf("m%d", n), PowerOn: true})
	}
	if text := complaints.String(); strings.Count(text, "\n") != 1 || !strings.Contains(text, "500 guests answer") {
		t.Errorf("complained %q", text)
	}
	do("DELETE", machine+"?purge=true", "")
	answers("purged", false)
	if err := host.Close(); err != nil {
		t.Error(err)
	}
	if got := dial(fmt.Sprintf("127.77.0.3:%d", host.Port(guest.Greeting))); !strings.Contains(got, "refused") {
		t.Errorf("closed: %q", got)
	}
}

// TestGuestsByThemselves: a guest starts at its time, without a request.
func TestGuestsByThemselves(t *testing.T) {
	t.Parallel()
	e := emulator.New(emulator.Options{Guests: true, BootTime: 20 * time.Millisecond, GuestBoot: 20 * time.Millisecond})
	host, err := guest.Serve(t.Context(), e, guest.Ports{guest.Greeting: 0}, io.Discard)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = host.Close() }()
	e.AddMachine("demo", "default", emulator.Machine{Name: "web1", AutorebootOn: true})
	for deadline := time.Now().Add(20 * time.Second); !strings.HasPrefix(dial(fmt.Sprintf("127.77.0.2:%d", host.Port(guest.Greeting))), "web1."); {
		if time.Now().After(deadline) {
			t.Fatal("the guest did not come")
		}
	}
}

// TestPowerIsCounted checks how many machines are counted as down, in the order of the emulator's time.
func TestPowerIsCounted(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		e := emulator.New(emulator.Options{BootTime: 10 * time.Second, GuestBoot: 5 * time.Second})
		var ids []int64
		for n := range 4 {
			ids = append(ids, e.AddMachine("demo", "default", emulator.Machine{Name: fmt.Sprintf("m%d", n), PowerOn: true}))
		}
		off := func(id int64) {
			if err := e.Change(id, func(m *emulator.Machine) { m.PowerOn, m.AutorebootOn = false, true }); err != nil {
				t.Fatal(err)
			}
		}
		expect := func(what string, on, down, out, maxDown, maxOut int) {
			t.Helper()
			p := e.Power()
			if got, want := fmt.Sprint(p.On, p.Down, p.OutOfService, p.MaxDown, p.MaxOutOfService), fmt.Sprint(on, down, out, maxDown, maxOut); got != want {
				t.Errorf("%s: %s, want %s", what, got, want)
			}
		}
		expect("start", 4, 0, 0, 0, 0)
		off(ids[0])
		time.Sleep(12 * time.Second)
		off(ids[1])
		expect("the first one is on, but not ready", 3, 1, 2, 1, 2)
		time.Sleep(time.Minute) // without a request
		expect("both are back", 4, 0, 0, 1, 2)
		e.ResetPower()
		e.SetDeaf(ids[2], true)
		expect("deaf", 4, 0, 1, 0, 1)
		e.SoftDelete(ids[2])
		e.Purge(ids[3])
		expect("deleted", 2, 0, 0, 0, 1)
	})
}
