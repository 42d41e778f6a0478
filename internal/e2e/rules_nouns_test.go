package e2e_test

import (
	"maps"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/acctest"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/emulator"
)

// What the table has besides the types of resources.
const (
	discNoun = "disc"
	actions  = "actions"
)

// noun is how the rules handle a resource, or a disc of a machine.
type noun struct {
	name, typeName string
	// prepare makes the world that the resource needs, and returns its configuration.
	prepare func(w *ruled) object
	// change has the attributes of a change in place.
	change func(w *ruled) object
	// remove makes somebody else remove the object.
	remove func(w *ruled, o *acctest.Object)
	// exists reports whether the service has it, and count how many.
	exists func(w *ruled, o *acctest.Object) bool
	count  func(w *ruled) int
	// befriend creates what a refresh needs to find out to which service the object belongs, and differ makes it another
	// service.
	befriend func(w *ruled)
	differ   func(w *ruled, o *acctest.Object)
	// interfere changes the object after the plan of a destroy; says is what the apply then says.
	interfere func(w *ruled, o *acctest.Object) (says string)
	importID  func(o *acctest.Object) string
	// unknown are attributes that may be known after apply, with their values.
	unknown func(w *ruled) object
	numbers []string // attributes that are whole numbers
}

func nouns() []noun {
	machine := noun{
		name: vmType, typeName: vmType,
		prepare: func(*ruled) object {
			return object{"name": "web1", "cores": 2, "memory": 2048, "disc": []object{{"label": "vda", "size": 25600}, {"label": "data", "size": 5000}}}
		},
		change: func(*ruled) object { return object{"keymap": "de"} },
		remove: func(w *ruled, o *acctest.Object) { w.e.Purge(number(o.Get("id"))) },
		exists: func(w *ruled, o *acctest.Object) bool {
			_, there := w.e.Machine(number(o.Get("id")))
			return there
		},
		count:    func(w *ruled) int { return len(w.e.Machines()) },
		befriend: func(*ruled) {},
		differ: func(w *ruled, o *acctest.Object) {
			if err := w.e.Change(number(o.Get("id")), func(m *emulator.Machine) { m.Name = "mail" }); err != nil {
				w.Fatal(err)
			}
		},
		interfere: func(w *ruled, o *acctest.Object) string {
			w.e.AddDisc(number(o.Get("id")), emulator.Disc{Label: "theirs", Size: 77})
			return `"theirs"`
		},
		importID: func(o *acctest.Object) string { return o.Get("id").(string) },
		unknown: func(*ruled) object {
			return object{"memory": 4096, "keymap": "de", "group": "default", "power_on": true}
		},
		numbers: []string{"cores", "memory"},
	}
	disc := machine
	disc.name, disc.numbers = discNoun, []string{"size"}
	disc.change = func(*ruled) object {
		return object{"disc": []object{{"label": "vda", "size": 30000}, {"label": "more", "size": 5000}, {"label": "new", "size": 100}}}
	}
	disc.remove = func(w *ruled, o *acctest.Object) { w.e.RemoveDisc(number(o.Get("id")), "data") }
	disc.interfere = func(w *ruled, o *acctest.Object) string { // it is moved away, so nothing is purged
		other := w.e.AddMachine(emulator.DemoAccount, emulator.DefaultGroup, emulator.Machine{Name: "mail"})
		if err := w.e.MoveDisc(number(o.Get("id")), "data", other); err != nil {
			w.Fatal(err)
		}
		return ""
	}
	disc.unknown = func(*ruled) object {
		return object{"disc": []object{{"label": "vda", "size": 25600}, {"label": "data", "size": 5000}}}
	}
	return []noun{
		machine, disc,
		{
			name: groupType, typeName: groupType,
			prepare: func(*ruled) object { return object{"name": "team"} },
			change:  func(*ruled) object { return object{"name": "crew"} },
			remove: func(w *ruled, o *acctest.Object) {
				w.startProcess().MustApply(w.Context(), groupType, o, nil)
				w.e.ResetJournal()
			},
			exists:   func(w *ruled, _ *acctest.Object) bool { return groups(w) == 1 },
			count:    groups,
			befriend: func(w *ruled) { w.e.AddMachine(emulator.DemoAccount, "team", emulator.Machine{Name: "web1"}) },
			differ: func(w *ruled, _ *acctest.Object) {
				if err := w.e.RenameGroup(emulator.DemoAccount, "team", "other"); err != nil {
					w.Fatal(err)
				}
			},
			interfere: func(w *ruled, _ *acctest.Object) string {
				if err := w.e.RenameGroup(emulator.DemoAccount, "team", "other"); err != nil {
					w.Fatal(err)
				}
				return `is named "other" now`
			},
			importID: func(o *acctest.Object) string { return "demo/" + o.Get("name").(string) },
			unknown:  func(*ruled) object { return object{"name": "team", "account": "demo"} },
		},
		{
			name: scheduleType, typeName: scheduleType,
			prepare: func(w *ruled) object {
				id := w.e.AddMachine(emulator.DemoAccount, emulator.DefaultGroup, emulator.Machine{Name: "web1", Discs: []emulator.Disc{{Label: "vda", Size: 25600}}})
				machine, _ := w.e.Machine(id)
				return object{
					"virtual_machine_id": strconv.FormatInt(id, 10), "disc_id": strconv.FormatInt(machine.Discs[0].ID, 10),
					"start_at": "2030-01-31 04:00:00", "interval_seconds": 604800, "capacity": 2,
				}
			},
			change: func(*ruled) object { return nil },
			remove: func(w *ruled, _ *acctest.Object) {
				_ = w.e.Change(w.e.Machines()[0].ID, func(m *emulator.Machine) { m.Discs[0].Backups.Schedules = nil })
			},
			exists:   func(w *ruled, _ *acctest.Object) bool { return schedules(w) == 1 },
			count:    schedules,
			befriend: func(*ruled) {},
			differ: func(w *ruled, _ *acctest.Object) {
				if err := w.e.Change(w.e.Machines()[0].ID, func(m *emulator.Machine) { m.Name = "mail" }); err != nil {
					w.Fatal(err)
				}
			},
			interfere: func(w *ruled, _ *acctest.Object) string {
				w.e.SoftDelete(w.e.Machines()[0].ID)
				return "is soft-deleted"
			},
			importID: func(o *acctest.Object) string {
				return strings.Join([]string{o.Get("virtual_machine_id").(string), o.Get("disc_id").(string), o.Get("id").(string)}, "/")
			},
			unknown: func(w *ruled) object {
				return object{"disc_id": w.config["disc_id"], "capacity": 2, "start_at": "2030-01-31 04:00:00"}
			},
			numbers: []string{"interval_seconds", "capacity"},
		},
		{
			name: rdnsType, typeName: rdnsType,
			prepare: func(w *ruled) object {
				w.e.AddMachine(emulator.DemoAccount, emulator.PrivateGroup, emulator.Machine{
					Name: "web1", Interfaces: []emulator.Interface{{MAC: "52:54:00:00:00:01", IPs: []string{"192.0.2.10"}}},
				})
				return object{"address": "192.0.2.10", "hostname": "www.example.com"}
			},
			change:   func(*ruled) object { return object{"hostname": "web.example.com"} },
			remove:   func(w *ruled, _ *acctest.Object) { w.e.Purge(w.e.Machines()[0].ID) },
			exists:   func(w *ruled, _ *acctest.Object) bool { return reverseNames(w) == 1 },
			count:    reverseNames,
			befriend: func(*ruled) {},
			differ:   func(w *ruled, _ *acctest.Object) { setTheirs(w) },
			interfere: func(w *ruled, _ *acctest.Object) string {
				setTheirs(w)
				return "theirs.example.com"
			},
			importID: func(*acctest.Object) string { return "192.0.2.10" },
			unknown:  func(*ruled) object { return object{"address": "192.0.2.10", "hostname": "www.example.com"} },
		},
	}
}

// setTheirs sets another reverse name as somebody else.
func setTheirs(w *ruled) {
	other := w.startProcess()
	theirs := other.MustImport(w.Context(), rdnsType, "192.0.2.10")
	other.MustApply(w.Context(), rdnsType, theirs, object{"address": "192.0.2.10", "hostname": "theirs.example.com"})
}

// without returns the configuration without the disc "data".
func (w *ruled) without() object {
	config := maps.Clone(w.config)
	config["disc"] = config["disc"].([]object)[:1]
	return config
}

// ids returns the IDs of a machine's discs in a state.
func (w *ruled) ids(o *acctest.Object) (ids []string) {
	discs, _ := o.Get("disc").([]any)
	for i := range discs {
		ids = append(ids, o.Get("disc."+strconv.Itoa(i)+".id").(string))
	}
	return ids
}

// groups counts the groups of the demo account besides those that an emulator begins with.
func groups(w *ruled) int { return len(w.e.GroupNames(emulator.DemoAccount)) - 2 }

// schedules counts the schedules of the first machine's first disc.
func schedules(w *ruled) int {
	machines := w.e.Machines()
	if len(machines) == 0 || machines[0].Discs[0].Backups == nil {
		return 0
	}
	return len(machines[0].Discs[0].Backups.Schedules)
}

// reverseNames counts the reverse names of the address that are not the service's own.
func reverseNames(w *ruled) int {
	machines := w.e.Machines()
	if len(machines) == 0 || w.e.ReverseName("192.0.2.10") == "" {
		return 0
	}
	return 1
}

func number(id any) int64 {
	text, _ := id.(string)
	number, _ := strconv.ParseInt(text, 10, 64)
	return number
}

// ruledActionFixture is how the rules handle an action: its configuration besides the machine, and whether the machine
// is soft-deleted.
type ruledActionFixture struct {
	typeName string
	config   func(w *ruledAction) object
	deleted  bool
	// restarts: it takes a machine down and waits for it
	restarts bool
}

func ruledActions() []ruledActionFixture {
	onDisc := func(more object) func(*ruledAction) object {
		return func(w *ruledAction) object {
			config := object{"disc_id": strconv.FormatInt(w.machine().Discs[1].ID, 10)}
			maps.Copy(config, more)
			return config
		}
	}
	plain := func(config object) func(*ruledAction) object { return func(*ruledAction) object { return config } }
	return []ruledActionFixture{
		{typeName: "cloudserver_disc_backup", config: onDisc(nil)},
		{typeName: "cloudserver_disc_move", config: func(w *ruledAction) object {
			other := w.e.AddMachine(emulator.DemoAccount, emulator.DefaultGroup, emulator.Machine{Name: "other"})
			return onDisc(object{"to": strconv.FormatInt(other, 10), "allow_stopping": true})(w)
		}},
		{typeName: "cloudserver_disc_restore", config: func(w *ruledAction) object {
			backup, err := w.e.BackUpDisc(w.id, "data")
			if err != nil {
				w.Fatal(err)
			}
			time.Sleep(time.Hour) // it is stored
			return onDisc(object{"backup_id": strconv.FormatInt(backup, 10), "confirm": true})(w)
		}},
		{typeName: "cloudserver_vm_power", config: plain(object{"state": "restart"}), restarts: true},
		{typeName: "cloudserver_vm_purge", config: plain(object{"name": "web1"}), deleted: true},
		{typeName: "cloudserver_vm_reimage", config: plain(object{"distribution": "bookworm", "ssh_public_key": "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIBDEcVOF9T6JTvtpHHEpzVeRKPicDToJM8d3QYI9jjrM", "allow_stopping": true}), restarts: true},
		{typeName: "cloudserver_vm_signal", config: plain(object{"signal": "reset"})},
		{typeName: "cloudserver_vm_undelete", config: plain(object{}), deleted: true},
	}
}

// ruledAction is a world in which one action is put to a rule.
type ruledAction struct {
	ruledActionFixture
	*testing.T
	d      *acctest.Driver
	e      *acctest.Emulator
	id     int64
	config object
}

func newRuledAction(t *testing.T, a ruledActionFixture) *ruledAction {
	t.Helper()
	w := &ruledAction{ruledActionFixture: a, T: t}
	w.d, w.e = acctest.Drive(t, emulator.Options{BootTime: 10 * time.Second, ShutdownTime: 5 * time.Second, CopyTime: 10 * time.Minute}, nil)
	w.id = w.e.AddMachine(emulator.DemoAccount, emulator.DefaultGroup, emulator.Machine{
		Name: "web1", PowerOn: true, Discs: []emulator.Disc{{Label: "vda", Size: 25600}, {Label: "data", Size: 5000}},
	})
	w.config = object{"virtual_machine_id": strconv.FormatInt(w.id, 10)}
	maps.Copy(w.config, a.config(w))
	if a.deleted {
		w.e.SoftDelete(w.id)
	}
	w.e.ResetJournal()
	return w
}

func (w *ruledAction) machine() emulator.Machine {
	machine, _ := w.e.Machine(w.id)
	return machine
}

// saysThatNothingIsThere is the rule "gone", for an action.
func saysThatNothingIsThere(w *ruledAction) {
	w.e.Purge(w.id)
	_, diags := w.d.Invoke(w.Context(), w.typeName, w.config)
	if !acctest.Error("", "").IsIn(diags, "virtual_machine_id") && !acctest.Error("", "").IsIn(diags, "disc_id") {
		w.Errorf("it says\n%s", acctest.DiagText(diags))
	}
	for _, request := range w.e.Journal() {
		if request.Method != "GET" {
			w.Errorf("sent %s %s", request.Method, request.Path)
		}
	}
}

// looksBeforeItDestroys is the rule "changed elsewhere", for an action: the machine is undeleted, or deleted, after its
// plan.
func looksBeforeItDestroys(w *ruledAction) {
	diags := w.d.PlanAction(w.Context(), w.typeName, w.config)
	if acctest.HasErrors(diags) {
		w.Fatal(acctest.DiagText(diags))
	}
	if w.deleted {
		_ = w.e.Change(w.id, func(m *emulator.Machine) { m.Deleted = false })
	} else {
		w.e.SoftDelete(w.id)
	}
	w.e.ResetJournal()
	if _, diags = w.d.Invoke(w.Context(), w.typeName, w.config); !acctest.HasErrors(diags) {
		w.Error("it went through")
	}
	for _, request := range w.e.Journal() {
		if request.Method != "GET" {
			w.Errorf("sent %s %s", request.Method, request.Path)
		}
	}
}

// plansWithoutItsMachine is the rule "unknown at plan", for an action.
func plansWithoutItsMachine(w *ruledAction) {
	config := maps.Clone(w.config)
	config["virtual_machine_id"] = acctest.Unknown
	if diags := w.d.PlanAction(w.Context(), w.typeName, config); acctest.HasErrors(diags) {
		w.Error(acctest.DiagText(diags))
	}
	if calls := w.e.Calls(); len(calls) > 1 {
		w.Errorf("the plan asked %v", calls)
	}
}

// waitsOutsideOfItsTimeout is the rule "waiting", for an action: another operation holds the only slot for longer than
// the timeout of the action.
func waitsOutsideOfItsTimeout(w *ruledAction) {
	if !w.restarts {
		return // it waits for nothing
	}
	d := w.e.NewDriver(w.T, object{"max_unavailable": 1})
	other := w.e.AddMachine(emulator.DemoAccount, emulator.DefaultGroup, emulator.Machine{Name: "slow", PowerOn: true, IgnoresPowerdown: true, Discs: []emulator.Disc{{Label: "vda", Size: 25600}}})
	ended := make(chan string)
	go func() {
		_, diags := d.Invoke(w.Context(), "cloudserver_vm_power", object{"virtual_machine_id": strconv.FormatInt(other, 10), "state": "restart", "shutdown_timeout": "3m"})
		ended <- acctest.DiagText(acctest.Errors(diags))
	}()
	time.Sleep(10 * time.Second)
	config := maps.Clone(w.config)
	config["timeouts"] = object{"invoke": "1m"}
	if _, diags := d.Invoke(w.Context(), w.typeName, config); acctest.HasErrors(diags) {
		w.Error(acctest.DiagText(diags))
	}
	if text := <-ended; text != "" {
		w.Error(text)
	}
}
