package e2e_test

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"path"
	"runtime"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/acctest"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/emulator"
)

// TestMemory: a thousand machines are created and destroyed in one process, as under a debugger or in terraform test. In
// the end the process uses as much memory as after the first hundred. Addresses and passwords are used again and again.
func TestMemory(t *testing.T) {
	const first, all, most = 100, 1000, 64 << 10 // bytes more after all of them
	for name, configured := range map[string]bool{"configured once": false, "configured for each": true} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				e := &acctest.Emulator{Emulator: acctest.NewEmulator(t, emulator.Options{}), URL: "http://127.0.0.1"}
				d := e.NewProcess(t, &forgetful{machines: map[string]any{}}, nil)
				var early int64
				for i := range all {
					ctx, cancel := context.WithCancel(t.Context()) // as gRPC has one for each call
					if configured {
						if diags := d.Configure(ctx, e.ProviderConfig(nil)); acctest.HasErrors(diags) {
							t.Fatal(acctest.DiagText(diags))
						}
					}
					c := config(i)
					c["ips"] = map[string]any{"ipv4": fmt.Sprintf("10.0.0.%d", 1+i%50)}
					c["reimage"] = map[string]any{"distribution": "bookworm", "root_password": "marker-memory-password"}
					d.MustApply(ctx, "cloudserver_vm", d.MustApply(ctx, "cloudserver_vm", nil, c), nil)
					cancel()
					time.Sleep(time.Second) // names are remembered for a minute
					if i == first-1 {
						early = inUse()
					}
				}
				if more := inUse() - early; more > most {
					t.Errorf("%d bytes more than after the first hundred, %d a machine", more, more/(all-first))
				}
				runtime.KeepAlive(d)
			})
		})
	}
}

// inUse returns the number of bytes on the heap that are in use.
func inUse() int64 {
	time.Sleep(5 * time.Minute) // until remembered answers have expired
	synctest.Wait()
	for range 3 { // objects with a finalizer are freed by a later collection
		runtime.GC()
	}
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return int64(m.HeapAlloc) //nolint:gosec // far below
}

// forgetful is a service that knows the machines which exist, and nothing else.
type forgetful struct {
	mu       sync.Mutex
	last     int
	machines map[string]any // by ID
}

// RoundTrip implements http.RoundTripper.
func (s *forgetful) RoundTrip(r *http.Request) (*http.Response, error) {
	var body struct {
		VirtualMachine map[string]any   `json:"virtual_machine"`
		Discs          []map[string]any `json:"discs"`
		IPs            map[string]any   `json:"ips"`
	}
	if r.Body != nil {
		_ = json.NewDecoder(r.Body).Decode(&body) // a GET has none
		_ = r.Body.Close()
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	status, answer := http.StatusOK, any(nil)
	last := path.Base(r.URL.Path)
	switch machine, exists := s.machines[last]; {
	case last == "definitions":
		answer = []any{}
	case last == "vm_create":
		s.last++
		vm := body.VirtualMachine
		vm["id"], vm["group_id"], vm["deleted"] = s.last, 2, false
		vm["hostname"] = fmt.Sprintf("%s.default.demo.example.com", vm["name"])
		vm["last_imaged_with"] = "bookworm"
		vm["zone_name"] = "york"
		vm["hardware_profile"] = "virtio2013"
		vm["hardware_profile_locked"] = false
		vm["network_interfaces"] = []any{map[string]any{"id": s.last, "label": "eth0", "ips": []any{body.IPs["ipv4"]}, "mac": "00:00:00:00:00:01"}}
		for i := range body.Discs {
			body.Discs[i]["id"] = 10*s.last + i
		}
		vm["discs"] = body.Discs
		s.machines[fmt.Sprint(s.last)] = vm
		status, answer = http.StatusAccepted, map[string]any{"virtual_machine": vm, "discs": body.Discs}
	case exists && r.Method == http.MethodDelete:
		delete(s.machines, last)
		status = http.StatusNoContent
	case exists:
		answer = machine
	case last == "default":
		answer = map[string]any{"id": 2, "name": "default", "account_id": 1}
	case last == "virtual_machines":
		all := []any{}
		for _, machine := range s.machines {
			all = append(all, machine)
		}
		answer = all
	case last == "demo":
		answer = map[string]any{"id": 1, "name": "demo"}
	default:
		status, answer = http.StatusNotFound, map[string]any{}
	}
	text, err := json.Marshal(answer)
	if status == http.StatusNoContent {
		text = nil
	}
	return &http.Response{
		StatusCode: status, Status: http.StatusText(status), Proto: "HTTP/1.1", ProtoMajor: 1, ProtoMinor: 1, Request: r,
		Header: http.Header{"Content-Type": {"application/json"}}, Body: io.NopCloser(strings.NewReader(string(text))), ContentLength: int64(len(text)),
	}, err
}
