package invoke_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strconv"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"
)

// standIn is a service of one account and one group, written from API.md alone: it shares no code with the emulator or
// the client. It sends null for what is absent, answers changes with nothing, and takes its time for all of them.
type standIn struct {
	*http.ServeMux

	mu       sync.Mutex
	machines map[int64]*theMachine
	nextID   int64
}

type theMachine struct {
	id              int64
	name            string
	on, reboots     bool
	deleted         bool
	imagedWith      any // text, or nil
	discs           []*theDisc
	changes, images time.Time // when the power follows, and when an image is installed; zero: nothing is under way
	turnsTo         bool
}

type theDisc struct {
	id      int64
	label   string
	size    int
	grade   string
	settled time.Time // when its grade is its own again
	backups []*theDisc
}

const delay = 7 * time.Second

func newStandIn() *standIn {
	s := &standIn{ServeMux: http.NewServeMux(), machines: map[int64]*theMachine{}, nextID: 40}
	account, group := `{"id":3,"name":"demo","suspended":false}`, `{"id":5,"name":"default","account_id":3,"vlan_num":null}`
	for path, body := range map[string]string{
		"/definitions":                       `[{"id":"distributions","data":["noble"]},{"id":"sendkeys","data":["ctrl","alt","delete"]},{"id":"unheard_of","data":null}]`,
		"/accounts":                          "[" + account + "]",
		"/accounts/{account}":                account,
		"/accounts/{account}/groups":         "[" + group + "]",
		"/accounts/{account}/groups/{group}": group,
		"/ips/{address}":                     `{"ip":"192.0.2.1","rdns":null}`,
	} {
		s.HandleFunc("GET "+path, func(w http.ResponseWriter, r *http.Request) {
			if a, g := r.PathValue("account"), r.PathValue("group"); strings.Contains(" demo 3", " "+a) && strings.Contains(" default 5", " "+g) {
				_, _ = w.Write([]byte(body))
				return
			}
			http.NotFound(w, r)
		})
	}
	s.HandleFunc("GET /virtual_machines", s.list)
	s.HandleFunc("GET /accounts/{account}/groups/{group}/virtual_machines", s.list)
	for _, at := range []string{"/virtual_machines/{vm}", "/accounts/{account}/groups/{group}/virtual_machines/{vm}"} {
		s.at("GET "+at, func(m *theMachine, _ *http.Request, _ map[string]any) any { return m.show() })
		s.at("GET "+at+"/discs", func(m *theMachine, _ *http.Request, _ map[string]any) any { return m.showDiscs() })
		s.at("GET "+at+"/discs/{disc}", func(m *theMachine, r *http.Request, _ map[string]any) any { return m.disc(r).show(m.id) })
		s.at("GET "+at+"/discs/{disc}/backups", func(m *theMachine, r *http.Request, _ map[string]any) any { return m.disc(r).showBackups() })
		s.at("PUT "+at, s.put)
		s.at("POST "+at+"/signal", s.signal)
		s.at("POST "+at+"/reimage", func(m *theMachine, _ *http.Request, body map[string]any) any {
			if m.on {
				return http.StatusBadRequest
			}
			m.images, m.imagedWith = time.Now().Add(delay), body["distribution"]
			return nil
		})
		s.at("POST "+at+"/discs/{disc}/backups", func(m *theMachine, r *http.Request, _ map[string]any) any {
			d := m.disc(r)
			backup := &theDisc{id: s.id(), label: d.label, size: d.size, grade: d.grade, settled: time.Now().Add(delay)}
			d.backups = append(d.backups, backup)
			return nil
		})
		s.at("PUT "+at+"/discs/{disc}/backups/{backup}", func(m *theMachine, r *http.Request, body map[string]any) any {
			if body["restore"] != true {
				return http.StatusBadRequest
			}
			m.disc(r).settled = time.Now().Add(delay)
			return nil
		})
		s.at("PUT "+at+"/discs/{disc}", s.move)
		s.at("DELETE "+at, func(m *theMachine, r *http.Request, _ map[string]any) any {
			if r.URL.Query().Get("purge") != "true" {
				return http.StatusBadRequest
			}
			delete(s.machines, m.id)
			return nil
		})
	}
	s.HandleFunc("GET /discs/{disc}", func(w http.ResponseWriter, r *http.Request) {
		s.mu.Lock()
		defer s.mu.Unlock()
		for _, m := range s.machines {
			if d := m.disc(r); d != nil {
				answer(w, d.show(m.id))
				return
			}
		}
		http.NotFound(w, r)
	})
	return s
}

// RoundTrip answers in the process, so that time may be fake.
func (s *standIn) RoundTrip(r *http.Request) (*http.Response, error) {
	w := httptest.NewRecorder()
	if r.Body == nil {
		r.Body = http.NoBody
	}
	s.ServeHTTP(w, r)
	return w.Result(), nil
}

func (s *standIn) id() int64 {
	s.nextID += 2
	return s.nextID
}

func (s *standIn) add(m theMachine, labels ...string) *theMachine {
	m.id = s.id()
	for _, label := range labels {
		m.discs = append(m.discs, &theDisc{id: s.id(), label: label, size: 25600, grade: "sata"})
	}
	s.machines[m.id] = &m
	return &m
}

// at handles a call at the path of a machine. The handler returns what to answer: nothing, an error's status, or JSON.
func (s *standIn) at(pattern string, handle func(m *theMachine, r *http.Request, body map[string]any) any) {
	s.HandleFunc(pattern, func(w http.ResponseWriter, r *http.Request) {
		s.mu.Lock()
		defer s.mu.Unlock()
		m := s.machine(r)
		if m == nil || r.PathValue("disc") != "" && m.disc(r) == nil {
			http.NotFound(w, r)
			return
		}
		if r.Header.Get("Authorization") != "Bearer apikey.demo" {
			w.WriteHeader(http.StatusUnauthorized)
			return
		}
		var body map[string]any
		_ = json.NewDecoder(r.Body).Decode(&body)
		answer(w, handle(m, r, body))
	})
}

func answer(w http.ResponseWriter, what any) {
	switch what := what.(type) {
	case nil:
		w.WriteHeader(http.StatusNoContent)
	case int:
		w.WriteHeader(what)
	default:
		w.Header().Set("Content-Type", "application/json")
		_ = json.NewEncoder(w).Encode(what)
	}
}

// machine returns the machine of a path, with what has happened to it until now. A soft-deleted one is shown to those
// who ask for it.
func (s *standIn) machine(r *http.Request) *theMachine {
	if a, g := r.PathValue("account"), r.PathValue("group"); a != "" && (a != "demo" && a != "3" || g != "default" && g != "5") {
		return nil
	}
	for _, m := range s.machines {
		if vm := r.PathValue("vm"); vm == m.name || vm == strconv.FormatInt(m.id, 10) {
			if m.settle(); m.deleted && r.URL.Query().Get("include_deleted") != "true" && r.Method == http.MethodGet {
				return nil
			}
			return m
		}
	}
	return nil
}

func (m *theMachine) settle() {
	now := time.Now()
	if !m.changes.IsZero() && !now.Before(m.changes) {
		m.on, m.changes = m.turnsTo, time.Time{}
	}
	if !m.images.IsZero() && !now.Before(m.images) {
		m.on, m.reboots, m.images = true, false, time.Time{}
	}
	if !m.on && m.reboots && !m.deleted && m.changes.IsZero() {
		m.turns(true)
	}
}

func (m *theMachine) turns(on bool) { m.turnsTo, m.changes = on, time.Now().Add(delay) }

func (s *standIn) list(w http.ResponseWriter, r *http.Request) {
	s.mu.Lock()
	defer s.mu.Unlock()
	all := []any{}
	for _, m := range s.machines {
		if m.settle(); !m.deleted || r.URL.Query().Get("include_deleted") == "true" {
			all = append(all, m.show())
		}
	}
	answer(w, all)
}

// put changes what API.md says of power, and undeletes.
func (s *standIn) put(m *theMachine, _ *http.Request, body map[string]any) any {
	if body["deleted"] == false {
		m.deleted = false
	}
	if m.deleted {
		return http.StatusBadRequest
	}
	if reboots, ok := body["autoreboot_on"].(bool); ok {
		m.reboots = reboots
	}
	if on, ok := body["power_on"].(bool); ok && on != m.on {
		m.turns(on)
	}
	return nil
}

func (s *standIn) signal(m *theMachine, _ *http.Request, body map[string]any) any {
	switch {
	case !m.on, body["signal"] == "sendkey" && body["data"] != "ctrl-alt-delete":
		return http.StatusBadRequest
	case body["signal"] == "powerdown":
		m.turns(false)
	}
	return nil
}

// move moves a disc to the machine of the body.
func (s *standIn) move(m *theMachine, r *http.Request, body map[string]any) any {
	to, _ := body["virtual_machine_id"].(float64)
	other, d := s.machines[int64(to)], m.disc(r)
	if other == nil || m.on || other.on || d == m.discs[0] {
		return http.StatusBadRequest
	}
	other.discs = append(other.discs, d)
	m.discs = m.discs[:1]
	return nil
}

func (m *theMachine) disc(r *http.Request) *theDisc {
	for _, d := range m.discs {
		if at := r.PathValue("disc"); at == d.label || at == strconv.FormatInt(d.id, 10) {
			return d
		}
	}
	return nil
}

func (m *theMachine) show() any {
	return map[string]any{
		"id": m.id, "name": m.name, "group_id": 5, "account_id": 3, "hostname": m.name + ".default.demo.standin.example", "cores": 1, "memory": 1024,
		"power_on": m.on, "autoreboot_on": m.reboots, "deleted": m.deleted, "hardware_profile": "virtio2013", "hardware_profile_locked": false,
		"management_address": nil, "cdrom_url": nil, "keymap": nil, "zone_name": "north", "last_imaged_with": m.imagedWith, "head": nil, "unheard_of": []int{1},
		"discs":              m.showDiscs(),
		"network_interfaces": []any{map[string]any{"id": m.id + 1000, "label": nil, "mac": "52:54:00:00:00:01", "vlan_num": 7, "ips": []string{"192.0.2.1"}, "extra_ips": nil, "virtual_machine_id": m.id}},
	}
}

func (m *theMachine) showDiscs() any {
	all := []any{}
	for _, d := range m.discs {
		all = append(all, d.show(m.id))
	}
	return all
}

func (d *theDisc) show(machine int64) map[string]any {
	shown := map[string]any{"id": d.id, "label": d.label, "size": d.size, "storage_grade": d.grade, "storage_pool": nil, "virtual_machine_id": machine, "new_storage_grade": nil, "backup_count": len(d.backups)}
	if time.Now().Before(d.settled) { // it is being restored
		shown["storage_grade"], shown["new_storage_grade"] = "iceberg", d.grade
	}
	return shown
}

func (d *theDisc) showBackups() any {
	all := []any{}
	for _, b := range d.backups {
		shown := map[string]any{"id": b.id, "label": b.label, "size": b.size, "storage_grade": "iceberg", "parent_disc_id": d.id, "manual": true, "created_at": nil}
		if time.Now().Before(b.settled) {
			shown["storage_grade"] = b.grade
		}
		all = append(all, shown)
	}
	return all
}

// TestActionsElsewhere invokes each action at a service that is not the emulator.
func TestActionsElsewhere(t *testing.T) {
	environment(t)
	t.Setenv("CLOUDSERVER_TOKEN", "apikey.demo")
	synctest.Test(t, func(t *testing.T) {
		service := newStandIn()
		s := &shell{T: t, service: service, invoked: map[string]bool{}}
		web := service.add(theMachine{name: "web1", on: true, reboots: true}, "vda", "data")
		other := service.add(theMachine{name: "web2", on: true, reboots: true}, "vda")
		old := service.add(theMachine{name: "old", deleted: true}, "vda")
		id, boot := fmt.Sprintf("virtual_machine_id=%d", web.id), fmt.Sprintf("disc_id=%d", web.discs[0].id)

		s.must("vm_power " + id + " state=stop")
		if web.on {
			t.Error("the machine is on")
		}
		s.must("vm_power " + id + " state=start")
		s.must("vm_signal " + id + " signal=sendkey key=ctrl-alt-delete")
		s.must("disc_backup " + id + " " + boot)
		s.must(fmt.Sprintf("disc_restore %s %s confirm=true backup_id=%d", id, boot, web.discs[0].backups[0].id), "--yes", "--unprotected")
		if time.Now().Before(web.discs[0].settled) {
			t.Error("the disc is being restored still")
		}
		s.must(fmt.Sprintf("disc_move %s disc_id=%d to=%d allow_stopping=true", id, web.discs[1].id, other.id), "--yes")
		if len(web.discs) != 1 || len(other.discs) != 2 || !other.on {
			t.Errorf("the disc is not moved, or the machine is off: %+v", other)
		}
		s.must("vm_reimage "+id+" distribution=noble allow_stopping=true", "--yes", "--unprotected")
		if web.imagedWith != "noble" || !web.on {
			t.Errorf("after the image is installed: %+v", web)
		}
		s.must(fmt.Sprintf("vm_undelete virtual_machine_id=%d", old.id))
		old.deleted = true
		s.must(fmt.Sprintf("vm_purge virtual_machine_id=%d name=old", old.id), "--yes", "--unprotected")
		if service.machines[old.id] != nil {
			t.Error("the machine is not purged")
		}
		s.all()
	})
}
