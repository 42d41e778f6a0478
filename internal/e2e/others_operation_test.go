package e2e_test

import (
	"maps"
	"slices"
	"strconv"
	"time"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/acctest"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/emulator"
)

// task is what Terraform does while requests fail, or somebody else uses the same service.
type task struct {
	name      string
	resources []resource
	subject   int                              // index of the resource that somebody else changes
	noRefresh bool                             // -refresh=false
	together  bool                             // the resources are applied at the same time, otherwise one after the other
	guests    bool                             // guests answer, for resources with ready
	also      int64                            // another machine that it changes; 0: none
	only      []string                         // names of its steps; nil: all that affect it
	account   string                           // of its objects; "": the default one
	timeout   time.Duration                    // longest of its timeouts; 0: 20 minutes
	prepare   func(s *scene)                   // is called before it begins; nil: nothing
	do        func(s *scene) diagnostics       // replaces refresh, plan and apply; nil: they are done
	may       func(s *scene) []acctest.Promise // the requests that do may send

	hasty      bool         // for faults: one process, timeouts of two minutes, and the second run follows at once
	logsIn     bool         // its login meets faults as well
	names      string       // what errors have to name; "": the object
	mayStayOff bool         // the first run may leave the machine off, and the second one then fails
	expects    acctest.Kind // the error with which it ends; zero: none
}

// resource is a resource with its configurations before and after the task. They are nil if it has none.
type resource struct {
	kind          string
	before, after object
	gone          bool // somebody destroyed it after the last apply
}

// tasks returns the tasks of TestOthers. To add a task, add a row: to sharedTasks, if its requests are to meet faults
// as well.
func tasks() []task {
	stopping, team, schedule, name := web(object{"shutdown_before_destroy": true}), object{"name": "team"}, weekly("9001", "9002"), nameOf("198.51.100.2", "web1.example.com")
	far, hiding := nameOf("198.51.100.6", "far.example.com"), []string{"hide the account for 300ms", "hide the account for 3s", "hide the account for 1m30s"}
	ready := object{"ready": object{"port": 22, "timeout": "3m"}}
	return append(sharedTasks(), []task{
		{name: "destroy, not refreshed", resources: alone(web(nil), nil), noRefresh: true},
		{name: "destroy, shut down first", resources: alone(stopping, nil)},
		{name: "soft delete, shut down first", resources: alone(web(stopping, object{"purge_on_destroy": false}), nil)},
		{name: "replace, shut down first", resources: alone(stopping, web(stopping, object{"zone_name": "manchester"}))},
		{name: "create, ready", resources: alone(nil, web(ready)), guests: true},
		{name: "raise cores, ready", resources: alone(web(ready), web(ready, object{"cores": 4})), guests: true},

		{name: "read three, one gone", resources: gone(0, web3(nil), web3(nil)), subject: 1},
		{name: "destroy three, one gone", resources: gone(0, web3(nil), nil), subject: 1, noRefresh: true},
		{name: "raise cores of three", resources: several(web3(nil), web3(object{"cores": 4})), subject: 1},
		{name: "create four together", resources: several(nil, numbered(4, nil)), subject: 1, together: true},
		{name: "create ten together", resources: several(nil, numbered(10, nil)), subject: 1, together: true, only: []string{"500 to each creation", "429 from now on"}},
		{name: "exchange two names", together: true, resources: several(
			[]object{web(nil), web(object{"name": "web2"})}, []object{web(object{"name": "web2"}), web(object{"name": "web1"})})},

		{name: "group, destroy, not refreshed", resources: []resource{{kind: groupType, before: team}}, noRefresh: true},
		{name: "rdns, destroy, not refreshed", resources: []resource{{kind: rdnsType, before: name}}, noRefresh: true},
		{name: "rdns, read", resources: []resource{{kind: rdnsType, before: name, after: name}}},
		{name: "rdns, moved to another block", together: true, resources: []resource{{kind: rdnsType, before: name}, {kind: rdnsType, after: name}}, subject: 1},
		{name: "read thirty", only: []string{listedTwice}, resources: several(numbered(30, nil), numbered(30, nil)), subject: 29},
		{name: "rdns of another account, change", account: "other", only: hiding, resources: []resource{{kind: rdnsType, before: far, after: nameOf("198.51.100.6", "far2.example.com")}}},
		{name: "rdns of another account, destroy", account: "other", only: hiding, resources: []resource{{kind: rdnsType, before: far}}},
		{name: "schedule, read", resources: []resource{{kind: scheduleType, before: schedule, after: schedule}}},
		{name: "schedule, replace", resources: []resource{{kind: scheduleType, before: schedule, after: daily("9001", "9002")}}},
		{name: "schedule, destroy, not refreshed", resources: []resource{{kind: scheduleType, before: schedule}}, noRefresh: true},
		{name: "schedules, destroy two, one gone", noRefresh: true, subject: 1, resources: []resource{
			{kind: scheduleType, before: schedule, gone: true}, {kind: scheduleType, before: weekly("9004", "9005")},
		}},
		{name: "group, read", resources: []resource{{kind: groupType, before: team, after: team}}},

		invoking("back up", "cloudserver_disc_backup", object{"disc_id": ownDisc}, "POST backups").lasting(2 * time.Hour),
		invoking("move a disc", "cloudserver_disc_move", object{"disc_id": ownDisc, "to": strconv.Itoa(spareID), "allow_stopping": true}, power, "PUT disc").with(spareID),
		invoking("undelete", "cloudserver_vm_undelete", nil, "PUT machine").after(softDelete),
		invoking("purge", "cloudserver_vm_purge", object{"name": "web1"}, purges).after(softDelete),
	}...)
}

// patient returns the configuration with timeouts that are longer than what somebody else does.
func patient(config object) object {
	if config == nil || config["timeouts"] == nil {
		return config
	}
	changed := maps.Clone(config)
	changed["timeouts"] = object{"create": "10m", "update": "10m", "delete": "10m"}
	return changed
}

func alone(before, after object) []resource {
	return []resource{{kind: "", before: before, after: after}}
}

// several returns machines of one configuration. A nil list stands for no configuration of any of them.
func several(before, after []object) []resource {
	all := make([]resource, max(len(before), len(after)))
	for i := range all {
		if before != nil {
			all[i].before = before[i]
		}
		if after != nil {
			all[i].after = after[i]
		}
	}
	return all
}

// gone is several with one machine that no longer exists.
func gone(which int, before, after []object) []resource {
	all := several(before, after)
	all[which].gone = true
	return all
}

// numbered returns the configurations of machines web1, web2, …, with a change of each.
func numbered(n int, change object) (all []object) {
	for i := range n {
		all = append(all, web(change, object{"name": "web" + strconv.Itoa(i+1)}))
	}
	return all
}

func web3(change object) []object { return numbered(3, change) }

func weekly(machine, disc string) object {
	return object{"virtual_machine_id": machine, "disc_id": disc, "start_at": "2040-01-01 04:00:00", "interval_seconds": 604800, "capacity": 2}
}

func daily(machine, disc string) object {
	changed := maps.Clone(weekly(machine, disc))
	changed["interval_seconds"] = 86400
	return changed
}

func nameOf(address, hostname string) object { return object{"address": address, "hostname": hostname} }

// importBy returns a function that removes the state, imports the machine and applies.
func importBy(id func(emulator.Machine) string) func(s *scene) diagnostics {
	return func(s *scene) diagnostics {
		own, _ := s.machine()
		p := s.parts[0]
		if p.state = nil; own.ID == 0 {
			return nil
		}
		imported, diags := s.process().Import(s.t.Context(), vmType, id(own))
		if p.state = imported; imported == nil {
			return diags
		}
		return append(diags, s.apply()...)
	}
}

// The values of an action's configuration that are known only when it is invoked.
const (
	ownDisc   = "the second disc"
	ownBackup = "its first backup"
)

// The kinds of requests that actions may send.
const (
	power  = "power" // PUT of power_on and autoreboot_on, and signals
	purges = "DELETE machine?purge=true"
)

// invoking returns a task that invokes an action on a machine in a state. kinds are the requests that it may send.
func invoking(name, typeName string, config object, kinds ...string) task {
	return task{
		name: "action " + name, resources: alone(web(nil), web(nil)),
		do: func(s *scene) diagnostics {
			own, _ := s.service.Machine(s.own)
			asked := object{"virtual_machine_id": strconv.FormatInt(s.own, 10)}
			for attribute, value := range config {
				switch value {
				case ownDisc:
					value = strconv.FormatInt(s.secondDisc, 10)
				case ownBackup:
					value = strconv.FormatInt(firstBackup(own), 10)
				}
				asked[attribute] = value
			}
			planned := s.process().PlanAction(s.t.Context(), typeName, asked)
			if acctest.HasErrors(planned) {
				return planned
			}
			_, invoked := s.process().InvokePlanned(s.t.Context(), typeName, asked)
			return append(planned, invoked...)
		},
		may: func(s *scene) (all []acctest.Promise) {
			for _, id := range []int64{s.own, spareID} {
				for _, kind := range kinds {
					if kind == power {
						all = append(all, acctest.Promise{Kind: "PUT machine", Machine: id, Body: object2any("power_on", "autoreboot_on")}, acctest.Promise{Kind: "POST signal", Machine: id})
						continue
					}
					all = append(all, acctest.Promise{Kind: kind, Machine: id, Disc: discFor(kind, s.secondDisc)})
				}
			}
			return all
		},
	}
}

func object2any(names ...string) map[string][]any {
	body := map[string][]any{}
	for _, name := range names {
		body[name] = nil
	}
	return body
}

// discFor returns the disc that requests of a kind must reach, or 0 if there is none.
func discFor(kind string, disc int64) int64 {
	if kind == "POST backups" || kind == "PUT backup" || kind == "PUT disc" {
		return disc
	}
	return 0
}

func firstBackup(m emulator.Machine) int64 {
	for _, d := range m.Discs {
		if d.Backups != nil && len(d.Backups.Taken) > 0 {
			return d.Backups.Taken[0].ID
		}
	}
	return 0
}

// after sets what is done to the machine before the task begins.
func (t task) after(prepare func(s *scene)) task {
	t.prepare = prepare
	return t
}

// with adds another machine that the task changes.
func (t task) with(machine int64) task {
	t.also = machine
	return t
}

// lasting sets the longest of its timeouts.
func (t task) lasting(timeout time.Duration) task {
	t.timeout = timeout
	return t
}

// meets reports whether a step in this gap is a case of the task.
func (t task) meets(s step, g gap) bool {
	switch {
	case !slices.Contains(t.things(), s.touches), len(t.only) > 0 && !slices.Contains(t.only, s.name):
		return false
	case g.at.call == logIn && s.credentials != bySession:
		return false
	}
	if s.inProcess || s.between {
		return s.between == (g.process > 0)
	}
	return !s.processes || g.process > 0 && t.do == nil && t.resources[t.subject].before != nil
}

// isDoneBy reports whether what the task destroys, or what it is on, is there no longer after the step.
func (t task) isDoneBy(s step) bool {
	subject := t.resources[t.subject]
	if t.do != nil || s.ends == "" {
		return false
	}
	after, _ := subject.after["disc"].(objects)
	before, _ := subject.before["disc"].(objects)
	return subject.after == nil || s.ends == theDisc && len(after) < len(before)
}

// hasGone reports whether a resource is gone before the task begins.
func (t task) hasGone() bool {
	return slices.ContainsFunc(t.resources, func(r resource) bool { return r.gone })
}

func off(s *scene) {
	s.must(s.service.Change(s.own, func(m *emulator.Machine) { m.PowerOn, m.AutorebootOn = false, false }))
	s.refresh()
}

func softDelete(s *scene) {
	s.service.SoftDelete(s.own)
	s.parts[0].state = nil
}

func backedUp(s *scene) {
	_, err := s.service.BackUpDisc(s.own, "vdb")
	s.must(err)
	time.Sleep(time.Minute) // until it is stored
}
