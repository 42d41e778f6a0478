package emulator_test

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"regexp"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/emulator"
)

// TestServe starts the server on a free port, uses what it prints, and stops
// it.
func TestServe(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithCancel(t.Context())
	printed, stdout := io.Pipe()
	var stderr strings.Builder
	ended := make(chan error, 1)
	go func() {
		ended <- emulator.Serve(ctx, "127.0.0.1:0", emulator.ServeOptions{}, stdout, &stderr)
		_ = stdout.Close()
	}()
	banner := make([]byte, 1<<16)
	n, err := printed.Read(banner)
	if err != nil {
		t.Fatal(err)
	}
	text := string(banner[:n])
	for _, want := range []string{
		"192.0.2.0/24", "2001:db8:1::/64", "york, manchester", "hidden", "bookworm", "sata, ssd, archive",
		"export CLOUDSERVER_TOKEN=apikey.demo\n", "export CLOUDSERVER_ACCOUNT=demo\n", "export CLOUDSERVER_USERNAME=demo\n",
	} {
		if !strings.Contains(text, want) {
			t.Errorf("%q is not printed in:\n%s", want, text)
		}
	}
	endpoint := regexp.MustCompile(`export CLOUDSERVER_ENDPOINT=(\S+)`).FindStringSubmatch(text)
	if endpoint == nil {
		t.Fatalf("no endpoint in:\n%s", text)
	}
	client := &http.Client{Transport: &http.Transport{}}
	defer client.CloseIdleConnections()
	answer, err := client.Get(endpoint[1] + "/definitions")
	if err != nil {
		t.Fatal(err)
	}
	_ = answer.Body.Close()
	if answer.StatusCode != http.StatusOK {
		t.Errorf("answered %d", answer.StatusCode)
	}
	cancel()
	if err := <-ended; err != nil {
		t.Errorf("stopped with %v", err)
	}
	if answer, err := client.Get(endpoint[1] + "/definitions"); err == nil {
		_ = answer.Body.Close()
		t.Error("still serving")
	}
	if stderr.Len() > 0 {
		t.Errorf("complained: %s", stderr.String())
	}
}

// TestServeRefuses shows where the emulator does not listen.
func TestServeRefuses(t *testing.T) {
	t.Parallel()
	for addr, want := range map[string]string{
		"0.0.0.0:0":        "not a loopback address",
		":0":               "not a loopback address",
		"192.0.2.1:80":     "not a loopback address",
		"cluster.test:80":  "not a loopback address",
		"127.0.0.1":        "missing port",
		"127.0.0.1:999999": "invalid port",
	} {
		err := emulator.Serve(t.Context(), addr, emulator.ServeOptions{}, io.Discard, io.Discard)
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %s", addr, err, want)
		}
	}
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	remote := emulator.ServeOptions{AllowRemote: true}
	if err := emulator.Serve(ended, "0.0.0.0:0", remote, io.Discard, io.Discard); err != nil {
		t.Errorf("allowed, but %v", err)
	}
}

// TestStress lets many clients and the back door work at once: with -race it
// proves the locking, without it that names and addresses stay unique.
func TestStress(t *testing.T) {
	t.Parallel()
	f := newFixtureWith(t, emulator.Options{Log: io.Discard, Now: time.Now, ConcurrentCreateFails: true})
	var workers sync.WaitGroup
	for worker := range 8 {
		workers.Go(func() {
			for n := range 25 {
				name := fmt.Sprintf("m%d-%d", worker, n)
				path := "/accounts/demo/groups/default/virtual_machines/" + name
				f.fire(t, create, `{{discs},"virtual_machine":{"name":"`+name+`","power_on":true},"discs":`+discs(2)+`}`)
				f.fire(t, create, `{{discs},"virtual_machine":{"name":"shared`+number(int64(n))+`"}}`)
				f.fire(t, "GET /virtual_machines?view=overview", "")
				f.fire(t, "PUT "+path, `{"power_on":false}`)
				f.fire(t, "GET /definitions", "")
				f.SetDefinitions(func(sets map[string]any) { sets["n"] = map[string]any{name: n} })
				for _, m := range f.Machines() {
					if m.Name == name && n%3 == 0 {
						f.Purge(m.ID)
					}
				}
				f.Inject(emulator.Fault{Cut: true, Times: 1, Match: puts})
				f.Advance(time.Millisecond)
				_ = f.Journal()
			}
		})
	}
	workers.Wait()
	names, addresses := map[string]bool{}, map[string]bool{}
	for _, m := range f.Machines() {
		if names[m.Group+m.Name] {
			t.Errorf("two machines %s", m.Name)
		}
		names[m.Group+m.Name] = true
		for _, ip := range m.Interfaces[0].IPs {
			if addresses[ip] {
				t.Errorf("two machines with %s", ip)
			}
			addresses[ip] = true
		}
	}
	if len(names) < 50 {
		t.Errorf("only %d machines came of it", len(names))
	}
}

// fire makes a call without looking at what comes of it.
func (f *fixture) fire(t *testing.T, call, body string) {
	answer, err := f.client.Do(f.request(t, call, body))
	if err == nil {
		_, _ = io.Copy(io.Discard, answer.Body)
		_ = answer.Body.Close()
	}
}

// BenchmarkList lists a group of 5,000 machines.
func BenchmarkList(b *testing.B) {
	e := emulator.New(emulator.Options{})
	for n := range 5000 {
		if e.AddMachine("demo", "default", emulator.Machine{Name: fmt.Sprintf("m%d", n), Discs: []emulator.Disc{{Label: "vda", Size: 50}}}) == 0 {
			b.Fatal("not added")
		}
	}
	client := &http.Client{Transport: e.Transport()}
	for b.Loop() {
		r, err := http.NewRequestWithContext(b.Context(), http.MethodGet, "http://emulator"+group+"/virtual_machines?view=overview", nil)
		if err != nil {
			b.Fatal(err)
		}
		r.Header.Set("Authorization", "Bearer "+emulator.DemoAPIKey)
		answer, err := client.Do(r)
		if err != nil || answer.StatusCode != http.StatusOK {
			b.Fatal(err, answer)
		}
		_ = answer.Body.Close()
	}
}
