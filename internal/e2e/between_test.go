package e2e_test

import (
	"fmt"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/acctest"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/emulator"
)

// between is a world in which somebody else acts between two requests: a machine with two discs that is in a state, and
// another machine, which is off.
type between struct {
	*world
	*testing.T
	machine *acctest.Object
	id      int64
	disc    int64 // the second one
	other   int64
	from    int // where the requests of the test begin in the journal

	mu     sync.Mutex
	call   func(*http.Request) bool
	action func()
}

// RoundTrip implements http.RoundTripper.
func (b *between) RoundTrip(r *http.Request) (*http.Response, error) {
	b.mu.Lock()
	action := b.action
	if action != nil && b.call(r) {
		b.action = nil
	} else {
		action = nil
	}
	b.mu.Unlock()
	if action != nil {
		action()
	}
	return b.service.Transport().RoundTrip(r)
}

// actBefore lets somebody else act before the first request with the method whose path has the suffix.
func (b *between) actBefore(method, suffix string, action func()) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.action = action
	b.call = func(r *http.Request) bool { return r.Method == method && strings.HasSuffix(r.URL.Path, suffix) }
}

func newBetween(t *testing.T) *between {
	t.Helper()
	w := newWorldWith(t, emulator.Options{BootTime: 8 * time.Second, ShutdownTime: 5 * time.Second, CopyTime: 5 * time.Second})
	b := &between{world: w, T: t}
	w.wire.service = b
	b.other = w.service.AddMachine(emulator.DemoAccount, emulator.DefaultGroup, emulator.Machine{
		Name: "other", Discs: []emulator.Disc{{Label: "vda", Size: 25600}}, Interfaces: []emulator.Interface{{IPs: []string{"198.51.100.2"}}},
	})
	b.machine = w.process().MustApply(t.Context(), vmType, nil, web())
	time.Sleep(time.Minute) // it boots
	b.machine = w.process().MustRefresh(t.Context(), b.machine)
	b.id = acctest.ID(b.machine.Get("id"))
	m, _ := w.service.Machine(b.id)
	b.disc = m.Discs[1].ID
	b.resetSent()
	return b
}

// resetSent clears the journal.
func (b *between) resetSent() { b.from = len(b.service.Journal()) }

// sent returns the requests since the last reset that changed something, or tried to.
func (b *between) sent() (sent []string) {
	for _, r := range b.service.Journal()[b.from:] {
		if r.Method != http.MethodGet && r.Path != "/session" {
			sent = append(sent, fmt.Sprint(r.Method, " ", r.Path, " ", string(r.Body)))
		}
	}
	return sent
}

// expectSent checks that the sent requests begin with the prefixes, in this order.
func (b *between) expectSent(prefixes ...string) {
	b.Helper()
	sent := b.sent()
	ok := len(sent) == len(prefixes)
	for i := range min(len(sent), len(prefixes)) {
		ok = ok && strings.HasPrefix(sent[i], prefixes[i])
	}
	if !ok {
		b.Errorf("sent %q, want %q", sent, prefixes)
	}
}

// expectErrors expects errors that contain all of the texts.
func (b *between) expectErrors(diags diagnostics, says ...string) {
	b.Helper()
	text := acctest.DiagText(acctest.Errors(diags))
	for _, say := range says {
		if !strings.Contains(text, say) {
			b.Errorf("want %q in\n%s", say, acctest.DiagText(diags))
		}
	}
	if text == "" {
		b.Errorf("it succeeded:\n%s", acctest.DiagText(diags))
	}
}

// expectSuccess expects no error.
func (b *between) expectSuccess(diags diagnostics) {
	b.Helper()
	if acctest.HasErrors(diags) {
		b.Error(acctest.DiagText(diags))
	}
}

// must ends the test if somebody else's action failed.
func (b *between) must(err error) {
	b.Helper()
	if err != nil {
		b.Fatal(err)
	}
}

// expectPower waits until nothing is under way, and compares the power of the machine.
func (b *between) expectPower(want bool) {
	b.Helper()
	time.Sleep(10 * time.Minute)
	if m, ok := b.service.Machine(b.id); !ok || m.PowerOn != want {
		b.Errorf("exists: %t, on: %t, want %t", ok, m.PowerOn, want)
	}
}

// applyLater plans in one process and applies in another one, as with a saved plan. Somebody else acts in between.
func (b *between) applyLater(o *acctest.Object, typeName string, config object, step func()) (*acctest.Object, diagnostics) {
	b.Helper()
	plan := b.process().Plan(b.Context(), typeName, o, config)
	if acctest.HasErrors(plan.Diagnostics) {
		b.Fatal(acctest.DiagText(plan.Diagnostics))
	}
	step()
	b.resetSent()
	return b.process().Apply(b.Context(), typeName, plan)
}

func (b *between) act(typeName string, config object) diagnostics {
	b.resetSent()
	asked := object{"virtual_machine_id": strconv.FormatInt(b.id, 10)}
	for name, value := range config {
		asked[name] = value
	}
	return b.invoke(typeName, asked)
}

func (b *between) change(f func(*emulator.Machine)) func() {
	return func() { b.must(b.service.Change(b.id, f)) }
}

// addSchedule creates a schedule for the machine's second disc, and returns it with its configuration.
func (b *between) addSchedule() (*acctest.Object, object) {
	config := weekly(text(b.id), text(b.disc))
	o := b.process().MustApply(b.Context(), scheduleType, nil, config)
	b.resetSent()
	return o, config
}

func (b *between) setName() *acctest.Object {
	o := b.process().MustApply(b.Context(), rdnsType, nil, nameOf("198.51.100.2", "www.example.com"))
	b.resetSent()
	return o
}

// schedulesOf returns the IDs of the disc's schedules, on whatever machine it is.
func (b *between) schedulesOf(disc int64) (ids []int64) {
	for _, m := range b.service.Machines() {
		for _, d := range m.Discs {
			if d.ID == disc && d.Backups != nil {
				for _, s := range d.Backups.Schedules {
					ids = append(ids, s.ID)
				}
			}
		}
	}
	return ids
}

// TestBetween has selected cases in which somebody else acts between a plan and its apply, with and without a refresh, or
// between two requests of an action. TestOthers tests all single steps.
func TestBetween(t *testing.T) {
	t.Parallel()
	for name, story := range map[string]func(b *between){
		"a schedule's disc moves to another machine before the delete": func(b *between) {
			b.change(func(m *emulator.Machine) { m.PowerOn, m.AutorebootOn = false, false })()
			o, _ := b.addSchedule()
			left, diags := b.applyLater(o, scheduleType, nil, func() { b.must(b.service.MoveDisc(b.id, "vdb", b.other)) })
			b.expectSuccess(diags)
			if left != nil || len(b.schedulesOf(b.disc)) > 0 {
				b.Errorf("left %v, schedules %v", left, b.schedulesOf(b.disc))
			}
			b.expectSent("DELETE ")
		},
		"a schedule is replaced by an equal one of somebody's before the delete": func(b *between) {
			o, config := b.addSchedule()
			left, diags := b.applyLater(o, scheduleType, nil, func() {
				b.must(b.service.Change(b.id, func(m *emulator.Machine) { m.Discs[1].Backups.Schedules = nil }))
				theirs := b.process().MustApply(b.Context(), scheduleType, nil, config)
				if theirs.Get("id") == o.Get("id") {
					b.Fatal("the same ID")
				}
			})
			b.expectSuccess(diags)
			if left != nil || len(b.schedulesOf(b.disc)) != 1 {
				b.Errorf("left %v, schedules %v", left, b.schedulesOf(b.disc))
			}
			b.expectSent()
		},
		"the machine of a schedule is soft-deleted before the delete, and not refreshed": func(b *between) {
			o, _ := b.addSchedule()
			left, diags := b.applyLater(o, scheduleType, nil, func() { b.service.SoftDelete(b.id) })
			b.expectSuccess(diags)
			if text := acctest.DiagText(diags); left != nil || !strings.Contains(text, "comes back with the machine") {
				b.Errorf("left %v\n%s", left, text)
			}
			b.expectSent()
		},
		"a reverse name is set again in other letters before the reset": func(b *between) {
			o := b.setName()
			left, diags := b.applyLater(o, rdnsType, nil, func() {
				b.process().MustApply(b.Context(), rdnsType, nil, nameOf("198.51.100.2", "WWW.example.COM"))
			})
			b.expectSuccess(diags)
			if left != nil || strings.EqualFold(b.service.ReverseName("198.51.100.2"), "www.example.com") {
				b.Errorf("left %v, named %q", left, b.service.ReverseName("198.51.100.2"))
			}
		},
		"the machine of a reverse name is purged before the reset": func(b *between) {
			o := b.setName()
			left, diags := b.applyLater(o, rdnsType, nil, func() { b.service.Purge(b.other) })
			b.expectSuccess(diags)
			if left != nil {
				b.Error("it is still in the state")
			}
			b.expectSent()
		},
		"the address of a reverse name goes to another machine before the reset": func(b *between) {
			o := b.setName()
			left, diags := b.applyLater(o, rdnsType, nil, func() {
				b.service.Purge(b.other)
				b.service.AddMachine(emulator.DemoAccount, emulator.DefaultGroup, emulator.Machine{Name: "heir", Interfaces: []emulator.Interface{{IPs: []string{"198.51.100.2"}}}})
			})
			b.expectSuccess(diags)
			if left != nil {
				b.Error("it is still in the state")
			}
			b.expectSent()
		},
		"a group is removed and created again by somebody before the rename": func(b *between) {
			o := b.process().MustApply(b.Context(), groupType, nil, object{"name": "team"})
			left, diags := b.applyLater(o, groupType, object{"name": "crew"}, func() {
				b.process().MustApply(b.Context(), groupType, o, nil)
				b.service.AddGroup(emulator.DemoAccount, "team", false)
			})
			b.expectErrors(diags, "Cannot rename")
			if left == nil || !slices.Contains(b.service.GroupNames(emulator.DemoAccount), "team") {
				b.Errorf("left %v, groups %v", left, b.service.GroupNames(emulator.DemoAccount))
			}
			b.expectSent()
		},
		"a soft-deleted machine is in a group before its delete": func(b *between) {
			o := b.process().MustApply(b.Context(), groupType, nil, object{"name": "team"})
			left, diags := b.applyLater(o, groupType, nil, func() {
				b.service.SoftDelete(b.service.AddMachine(emulator.DemoAccount, "team", emulator.Machine{Name: "inside"}))
			})
			b.expectErrors(diags, "inside")
			if left == nil {
				b.Error("it left the state")
			}
		},
		"a disc is grown further by somebody before it is grown": func(b *between) {
			o, diags := b.applyLater(b.machine, vmType, web(discs("vda", 25600, "vdb", 12000)), func() {
				b.change(func(m *emulator.Machine) { m.Discs[1].Size = 20480 })()
			})
			if m, _ := b.service.Machine(b.id); m.Discs[1].Size != 20480 {
				b.Errorf("the disc has %d", m.Discs[1].Size)
			}
			if !acctest.HasErrors(diags) && o.Get("disc.1.size") != 12000 { // as planned; the next refresh shows it
				b.Errorf("the state says %v", o.Get("disc.1.size"))
			}
		},
		"a disc of that label is attached by somebody before one is added": func(b *between) {
			o, diags := b.applyLater(b.machine, vmType, web(discs("vda", 25600, "vdb", 10240, "vdc", 5000)), func() {
				b.service.AddDisc(b.id, emulator.Disc{Label: "vdc", Size: 5000})
			})
			b.expectErrors(diags, "vdc")
			if m, _ := b.service.Machine(b.id); len(m.Discs) != 3 {
				b.Errorf("discs %v", m.Discs)
			}
			if ids := acctest.Blocks(o.Get("disc")); len(ids) > 2 && ids[2]["id"] != nil {
				b.Errorf("the state has somebody's disc: %v", ids[2])
			}
		},
		"a disc is purged by somebody before it is purged": func(b *between) {
			o, diags := b.applyLater(b.machine, vmType, web(discs("vda", 25600)), func() { b.service.RemoveDisc(b.id, "vdb") })
			b.expectSuccess(diags)
			if len(acctest.Blocks(o.Get("disc"))) != 1 {
				b.Errorf("the state has %v", o.Get("disc"))
			}
			b.expectSent()
		},
		"the machine is moved by somebody before it is destroyed without a refresh": func(b *between) {
			b.service.AddGroup(emulator.DemoAccount, "elsewhere", false)
			left, diags := b.applyLater(b.machine, vmType, nil, func() {
				group := b.service.AddGroup(emulator.DemoAccount, "further", false)
				b.change(func(m *emulator.Machine) { m.GroupID = group })()
				b.service.AddMachine(emulator.DemoAccount, emulator.DefaultGroup, emulator.Machine{Name: "web1", Discs: []emulator.Disc{{Label: "vda", Size: 4096}}})
			})
			b.expectSuccess(diags)
			if _, exists := b.service.Machine(b.id); exists || left != nil || len(b.service.Machines()) != 2 {
				b.Errorf("exists: %t, machines %d", exists, len(b.service.Machines()))
			}
		},
		"the target of a disc is switched on by somebody while the source stops": func(b *between) {
			b.actBefore(http.MethodPut, "/discs/"+text(b.disc), func() {
				b.must(b.service.Change(b.other, func(m *emulator.Machine) { m.PowerOn, m.AutorebootOn = true, true }))
			})
			diags := b.act("cloudserver_disc_move", object{"disc_id": text(b.disc), "to": text(b.other), "allow_stopping": true})
			b.expectErrors(diags, "Cannot")
			if m, _ := b.service.Machine(b.id); len(m.Discs) != 2 {
				b.Error("the disc has gone")
			}
			b.expectPower(true)
		},
		"the target of a disc is purged by somebody while the source stops": func(b *between) {
			b.actBefore(http.MethodPost, "/signal", func() { b.service.Purge(b.other) })
			diags := b.act("cloudserver_disc_move", object{"disc_id": text(b.disc), "to": text(b.other), "allow_stopping": true})
			b.expectErrors(diags, "Cannot")
			if m, _ := b.service.Machine(b.id); len(m.Discs) != 2 {
				b.Error("the disc has gone")
			}
			b.expectPower(true)
		},
		"a backup is deleted by somebody before it is restored": func(b *between) {
			backup, err := b.service.BackUpDisc(b.id, "vdb")
			b.must(err)
			time.Sleep(time.Minute)
			b.actBefore(http.MethodGet, "/backups", b.change(func(m *emulator.Machine) { m.Discs[1].Backups.Taken = nil }))
			diags := b.act("cloudserver_disc_restore", object{"disc_id": text(b.disc), "backup_id": text(backup), "confirm": true})
			b.expectErrors(diags, "Cannot")
			b.expectPower(true)
		},
		"the machine is soft-deleted by somebody while it restarts": func(b *between) {
			b.actBefore(http.MethodPost, "/signal", func() { b.service.SoftDelete(b.id) })
			b.expectErrors(b.act("cloudserver_vm_power", object{"state": "restart"}), "Cannot")
			time.Sleep(10 * time.Minute)
			if m, _ := b.service.Machine(b.id); !m.Deleted {
				b.Error("it was undeleted")
			}
		},
		"the machine is switched off by somebody before the signal": func(b *between) {
			b.actBefore(http.MethodPost, "/signal", b.change(func(m *emulator.Machine) { m.PowerOn, m.AutorebootOn = false, false }))
			b.expectErrors(b.act("cloudserver_vm_signal", object{"signal": "reset"}), "Cannot")
			b.expectPower(false)
		},
		"the machine is renamed by somebody before it is purged by its name": func(b *between) {
			b.service.SoftDelete(b.id)
			b.change(func(m *emulator.Machine) { m.Name = "precious" })()
			b.expectErrors(b.act("cloudserver_vm_purge", object{"name": "web1"}), "precious")
			if _, exists := b.service.Machine(b.id); !exists {
				b.Error("it is purged")
			}
			b.expectSent()
		},
		"the machine is purged by somebody before it is undeleted": func(b *between) {
			b.service.SoftDelete(b.id)
			b.actBefore(http.MethodPut, "/"+text(b.id), func() { b.service.Purge(b.id) })
			b.expectErrors(b.act("cloudserver_vm_undelete", nil), "Cannot")
		},
		"a disc is detached by somebody while the machine stops for its image": func(b *between) {
			b.actBefore(http.MethodPost, "/reimage", func() {
				_, err := b.service.DetachDisc(b.id, "vdb")
				b.must(err)
			})
			b.expectSuccess(b.act("cloudserver_vm_reimage", object{"distribution": "trixie", "ssh_public_key": "ssh-ed25519 A", "allow_stopping": true}))
			b.expectPower(true)
		},
		"somebody takes a backup while the answer to one is lost": func(b *between) {
			b.actBefore(http.MethodPost, "/backups", func() {
				_, err := b.service.BackUpDisc(b.id, "vdb")
				b.must(err)
			})
			lost := 0
			b.service.Inject(emulator.Fault{Status: 502, AfterEffect: false, Match: func(r emulator.Request) bool {
				if r.Method == http.MethodPost && strings.HasSuffix(r.Path, "/backups") {
					lost++
				}
				return lost == 1 && r.Method == http.MethodPost && strings.HasSuffix(r.Path, "/backups")
			}})
			said, diags := b.process().Invoke(b.Context(), "cloudserver_disc_backup", object{"virtual_machine_id": text(b.id), "disc_id": text(b.disc)})
			b.expectSuccess(diags)
			if m, _ := b.service.Machine(b.id); len(m.Discs[1].Backups.Taken) == 1 && !strings.Contains(strings.Join(said, "\n"), "It may be somebody else's") {
				b.Errorf("somebody's backup counts as its own, without a word:\n%s", said)
			}
		},
		"a machine is switched on by somebody before a plan for one that is off is applied": func(b *between) {
			b.change(func(m *emulator.Machine) { m.PowerOn, m.AutorebootOn = false, false })()
			o := b.process().MustRefresh(b.Context(), b.machine)
			config := web(object{"cores": 4, "allow_stopping_for_update": false})
			settled := b.process().MustApply(b.Context(), vmType, o, web(object{"allow_stopping_for_update": false}))
			_, diags := b.applyLater(settled, vmType, config, b.change(func(m *emulator.Machine) { m.PowerOn, m.AutorebootOn = true, true }))
			b.expectErrors(diags, "on")
			b.expectSent()
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) { story(newBetween(t)) })
		})
	}
}
