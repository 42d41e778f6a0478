package guest_test

import (
	"crypto/ed25519"
	"encoding/json"
	"encoding/pem"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"testing"
	"time"

	"golang.org/x/crypto/ssh"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/emulator"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/emulator/guest"
)

// TestGuestsSpeak: guests answer over HTTP with the status of their image or their own, and over SSH with the host key
// that they were given, or one that is unique to the machine and image.
func TestGuestsSpeak(t *testing.T) {
	t.Parallel()
	e := emulator.New(emulator.Options{Guests: true})
	host, err := guest.Serve(t.Context(), e, guest.Ports{guest.HTTP: 0, guest.SSH: 0}, t.Output())
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = host.Close() }()
	if host.Port(guest.Greeting) != 0 || host.Port(guest.HTTP) == host.Port(guest.SSH) {
		t.Fatalf("ports %d, %d, %d", host.Port(guest.Greeting), host.Port(guest.HTTP), host.Port(guest.SSH))
	}
	var ids []int64
	for _, name := range []string{"web1", "web2"} {
		ids = append(ids, e.AddMachine("demo", "default", emulator.Machine{Name: name, PowerOn: true, LastImagedWith: "bookworm", Images: 1}))
	}
	answers := func(at int, want string) {
		t.Helper()
		answer, err := http.Get(fmt.Sprintf("http://127.77.0.%d:%d/health", at, host.Port(guest.HTTP)))
		if err != nil {
			t.Fatal(err)
		}
		body, err := io.ReadAll(answer.Body)
		if got := fmt.Sprintf("%d %s", answer.StatusCode, body); err != nil || got != want+"\n" {
			t.Errorf("%q, %v, want %q", got, err, want)
		}
		_ = answer.Body.Close()
	}
	answers(2, "200 web1.default.demo.cluster.example bookworm")
	e.SetImageStatus("bookworm", 500)
	e.SetHTTPStatus(ids[0], 503)
	answers(2, "503 web1.default.demo.cluster.example bookworm")
	answers(3, "500 web2.default.demo.cluster.example bookworm")
	if p := e.Power(); p.OutOfService != 2 || p.Down != 0 {
		t.Errorf("out of service: %+v", p)
	}
	e.SetHTTPStatus(ids[0], 0)
	e.SetImageStatus("bookworm", 0)
	answers(2, "200 web1.default.demo.cluster.example bookworm")

	shows := func(at int) string {
		t.Helper()
		key := scanKey(t, fmt.Sprintf("127.77.0.%d:%d", at, host.Port(guest.SSH)))
		listed, _, _ := e.Guests()
		if public := guest.PublicKey(listed[at-2]); public != key {
			t.Errorf("listed %s, shown %s", public, key)
		}
		return key
	}
	first, second := shows(2), shows(3)
	if err := e.Change(ids[0], func(m *emulator.Machine) { m.Images++ }); err != nil {
		t.Fatal(err)
	}
	if third := shows(2); first == second || first == third {
		t.Errorf("keys %s, %s, %s", first, second, third)
	}
	private := string(pem.EncodeToMemory(must(ssh.MarshalPrivateKey(ed25519.NewKeyFromSeed(make([]byte, 32)), ""))))
	e.SetSSHHostKey(ids[0], private)
	given := shows(2)
	if want := strings.TrimSpace(string(ssh.MarshalAuthorizedKey(must(ssh.ParsePrivateKey([]byte(private))).PublicKey()))); given != want {
		t.Errorf("shows %s, was given %s", given, want)
	}
	if err := e.Load(e.Dump()); err != nil || shows(2) != given {
		t.Errorf("after a load: %v", err)
	}
}

func must[T any](value T, err error) T {
	if err != nil {
		panic(err)
	}
	return value
}

// scanKey returns the host key of a server that refuses logins.
func scanKey(t *testing.T, address string) (key string) {
	t.Helper()
	client, err := ssh.Dial("tcp", address, &ssh.ClientConfig{
		User: "root", Auth: []ssh.AuthMethod{ssh.Password("anything")}, Timeout: 20 * time.Second,
		HostKeyCallback: func(_ string, _ net.Addr, shown ssh.PublicKey) error {
			key = strings.TrimSpace(string(ssh.MarshalAuthorizedKey(shown)))
			return nil
		},
	})
	if err == nil {
		_ = client.Close()
		t.Error("somebody can log in")
	}
	return key
}

// TestFirstBootKey: a guest shows the host key in its first boot script, indented or not, also in another process with
// the same state. A dump does not contain the private key.
func TestFirstBootKey(t *testing.T) {
	t.Parallel()
	private := string(pem.EncodeToMemory(must(ssh.MarshalPrivateKey(ed25519.NewKeyFromSeed([]byte(strings.Repeat("x", 32))), ""))))
	public := strings.TrimSpace(string(ssh.MarshalAuthorizedKey(must(ssh.ParsePrivateKey([]byte(private))).PublicKey())))
	for name, key := range map[string]string{"as it is": private, "indented": "  " + strings.ReplaceAll(private, "\n", "\n  ")} {
		e := emulator.New(emulator.Options{Guests: true})
		body, err := json.Marshal(map[string]any{
			"virtual_machine": map[string]any{"name": "web1", "autoreboot_on": true}, "discs": []any{map[string]any{"label": "vda", "size": 25600}},
			"reimage": map[string]any{"distribution": "bookworm", "root_password": "made-up", "firstboot_script": "#!/bin/sh\ncat <<END\n" + key + "\nEND\n"},
		})
		if err != nil {
			t.Fatal(err)
		}
		r, err := http.NewRequestWithContext(t.Context(), http.MethodPost, "http://emulator/accounts/demo/groups/default/vm_create", strings.NewReader(string(body)))
		if err != nil {
			t.Fatal(err)
		}
		r.Header.Set("Authorization", "Bearer "+emulator.DemoAPIKey)
		r.Header.Set("Content-Type", "application/json")
		answer, err := (&http.Client{Transport: e.Transport()}).Do(r)
		if err != nil || answer.StatusCode/100 != 2 {
			t.Fatal(err, answer)
		}
		_ = answer.Body.Close()
		listed, _, _ := e.Guests()
		if len(listed) != 1 || guest.PublicKey(listed[0]) != public {
			t.Errorf("%s: %+v", name, listed)
		}
		secret := strings.Split(private, "\n")[1]
		if strings.Contains(string(e.Dump()), secret) || !strings.Contains(string(e.State()), secret) {
			t.Errorf("%s: a dump has the key, or a state has not", name)
		}
		if err := e.Resume(e.State()); err != nil {
			t.Fatal(err)
		}
		if listed, _, _ := e.Guests(); len(listed) != 1 || guest.PublicKey(listed[0]) != public {
			t.Errorf("%s, in another process: %+v", name, listed)
		}
	}
}
