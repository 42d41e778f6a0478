package main

import (
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"path"
	"strconv"
	"strings"
	"sync/atomic"
	"time"
)

// peerService is the service of the peer-shaped subject: it keeps nothing, and answers every request after the latency
// that the emulator also has. It computes less than the emulator does, which is to the peer's advantage.
type peerService struct {
	url      string
	requests atomic.Int64
	ids      atomic.Int64
}

// servePeer serves on a free port until the context ends.
func servePeer(ctx context.Context) (*peerService, error) {
	listener, err := new(net.ListenConfig).Listen(ctx, "tcp", "127.0.0.1:0")
	if err != nil {
		return nil, err
	}
	s := &peerService{url: "http://" + listener.Addr().String()}
	server := &http.Server{Handler: s, ReadHeaderTimeout: time.Minute}
	context.AfterFunc(ctx, func() { _ = server.Close() })
	go func() { _ = server.Serve(listener) }() // it ends with the context
	return s, nil
}

// ServeHTTP implements http.Handler: POST and DELETE answer a finished action, GET answers a server or an action. The
// name of a server is not kept: the provider takes it from its state.
func (s *peerService) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	s.requests.Add(1)
	_, _ = io.Copy(io.Discard, r.Body) // a broken request shows in the provider
	select {
	case <-time.After(latency):
	case <-r.Context().Done():
		return
	}
	id := path.Base(r.URL.Path)
	if r.Method == http.MethodPost {
		id = strconv.FormatInt(s.ids.Add(1)+1_000_000, 10)
	}
	w.Header().Set("Content-Type", "application/json")
	if r.Method == http.MethodGet && strings.HasPrefix(r.URL.Path, "/servers/") {
		_, _ = fmt.Fprintf(w, peerServer, id)
		return
	}
	_, _ = fmt.Fprintf(w, `{"id": %s, "action": "done", "progress": 100, "error": null}`, id)
}

// peerServer is a server as such services describe it, with much that no attribute shows.
const peerServer = `{
  "id": %[1]s, "status": "running", "created": "2026-01-01T00:00:00+00:00", "plan": {"id": 22, "name": "standard-2",
  "description": "Two cores", "cores": 2, "memory": 4.0, "disk": 40, "deprecated": false, "storage_type": "local", "cpu_type": "shared",
  "architecture": "x86", "prices": [{"location": "york", "hourly": {"net": "0.0060000000", "gross": "0.0071400000"},
  "monthly": {"net": "3.2900000000", "gross": "3.9151000000"}, "included_traffic": 21990232555520, "per_tb": {"net": "1.0", "gross": "1.19"}}]},
  "datacentre": {"id": 4, "name": "york-dc3", "description": "York 3", "region": {"id": 1, "name": "york", "description": "York DC Park 1",
  "country": "GB", "city": "York", "latitude": 53.96, "longitude": -1.08, "network_zone": "eu"},
  "plans": {"supported": [1, 3, 5, 7, 9, 11, 12, 13, 14, 15, 22, 23, 24, 25, 26, 45, 93, 94, 95, 96, 97, 98, 99, 100, 101],
  "available": [22, 23, 24, 25, 26, 45, 93, 94, 95, 96], "available_for_migration": [22, 23, 24, 25, 26, 45, 93, 94, 95, 96, 97]}},
  "image": {"id": 114690387, "type": "system", "status": "available", "name": "bookworm", "description": "Debian 12", "image_size": null,
  "disk_size": 5, "created": "2023-06-13T06:00:02+00:00", "bound_to": null, "os_flavor": "debian", "os_version": "12", "rapid_deploy": true,
  "protection": {"delete": false}, "deprecated": null, "labels": {}, "deleted": null, "architecture": "x86"},
  "iso": null, "rescue_enabled": false, "locked": false, "backup_window": null, "outgoing_traffic": 123456, "ingoing_traffic": 654321,
  "included_traffic": 21990232555520, "protection": {"delete": false, "rebuild": false}, "labels": {"role": "web"}, "volumes": [], "load_balancers": [],
  "primary_disk_size": 40, "ipv4_address": "192.0.2.17", "ipv6_address": "2001:db8:4f8:1c1c::1", "ipv6_network": "2001:db8:4f8:1c1c::/64",
  "network": [{"network_id": 4711, "ip": "10.0.0.17", "alias_ips": [], "mac_address": "86:00:00:2a:7d:e0"}]
}
`
