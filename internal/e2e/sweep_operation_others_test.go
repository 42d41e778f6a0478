package e2e_test

import (
	"net/http"
	"strconv"
	"strings"
	"time"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/acctest"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/emulator"
)

const (
	groupType = "cloudserver_group"
	rdnsType  = "cloudserver_rdns"

	scheduleType = "cloudserver_backup_schedule"
)

// otherOperations are those on groups and reverse names, and the actions.
func otherOperations() []operation {
	team, rdns := object{"name": "team"}, object{"address": "198.51.100.2", "hostname": "web1.example.com"}
	schedule := object{"virtual_machine_id": "9001", "disc_id": "9002", "start_at": "2040-01-01 04:00:00", "interval_seconds": 604800, "capacity": 2}
	all := []operation{
		{name: "group, create", kind: groupType, names: "team", after: team},
		{name: "group, taken", kind: groupType, names: "team", theirs: true, do: createTakenGroup(team)},
		{name: "group, taken and not listed", kind: groupType, names: "team", theirs: true, do: hideGroups(createTakenGroup(team))},
		{name: "group, rename", kind: groupType, names: "team", before: team, after: object{"name": "team2"}},
		{name: "group, destroy", kind: groupType, names: "team", before: team},
		{name: "rdns, set", kind: rdnsType, names: "198.51.100.2", after: rdns},
		{name: "rdns, change", kind: rdnsType, names: "198.51.100.2", before: rdns, after: object{"address": "198.51.100.2", "hostname": "web2.example.com"}},
		{name: "rdns, destroy", kind: rdnsType, names: "198.51.100.2", before: rdns},
		{name: "rdns, replaced with create_before_destroy", kind: rdnsType, names: "198.51.100.2", before: rdns, after: rdns, do: createBeforeDestroy(rdns)},
		{name: "schedule, after a soft delete", kind: scheduleType, names: "9002", before: schedule, after: schedule, do: readSoftDeleted(schedule)},
		{name: "schedule, create", kind: scheduleType, names: "9002", after: schedule},
		{name: "schedule, destroy", kind: scheduleType, names: "9002", before: schedule},
	}
	all = append(all,
		operation{name: "create, taken", names: "web1", theirs: true, do: createTakenMachine},
		operation{name: "action restore", names: "disc 1006", before: web(nil), after: web(nil), do: restoreOnce})
	for name, action := range map[string]struct {
		typeName string
		config   object
	}{
		"start":   {"cloudserver_vm_power", object{"state": "start"}},
		"stop":    {"cloudserver_vm_power", object{"state": "stop"}},
		"restart": {"cloudserver_vm_power", object{"state": "restart"}},
		"reset":   {"cloudserver_vm_signal", object{"signal": "reset"}},
		"reimage": {"cloudserver_vm_reimage", object{"distribution": "bookworm", "ssh_public_key": "ssh-ed25519 A", "allow_stopping": true}},
	} {
		all = append(all, operation{
			name: "action " + name, names: "100", before: web(nil), after: web(nil), reimages: name == "reimage", mayStayOff: name == "restart",
			do: func(w *world) diagnostics {
				config := object{"virtual_machine_id": idOf(w.machines()[0])}
				for attribute, value := range action.config {
					config[attribute] = value
				}
				return w.invoke(action.typeName, config)
			},
		})
	}
	return all
}

// createTakenGroup creates a group whose name is taken, which is expected to fail.
func createTakenGroup(config object) func(*world) diagnostics {
	return func(w *world) diagnostics {
		diags := w.apply(config)
		if nameOfGroupTaken.IsIn(diags) {
			return nil
		}
		return diags
	}
}

// stranger returns a machine with the name and the specification of web.
func stranger() emulator.Machine {
	return emulator.Machine{
		ID: 9001, Name: "web1", Cores: 2, Memory: 2048, PowerOn: true, AutorebootOn: true, LastImagedWith: "bookworm",
		Discs: []emulator.Disc{{ID: 9002, Label: "vda", Size: 25600}, {ID: 9003, Label: "vdb", Size: 10240}},
	}
}

// createTakenMachine creates a machine whose name an equal one has, which is expected to fail.
func createTakenMachine(w *world) diagnostics {
	diags := w.apply(web(nil))
	if nameOfMachineTaken.IsIn(diags, `"web1"`) {
		return nil
	}
	return diags
}

// restoreOnce restores a backup. Whatever the answer is, the service does it at most once for each action.
func restoreOnce(w *world) diagnostics {
	machine := w.machines()[0]
	backup, err := w.service.BackUpDisc(machine.ID, "vdb")
	if err != nil {
		w.t.Fatal(err)
	}
	time.Sleep(time.Minute) // it is stored
	began := len(w.service.Journal())
	diags := w.invoke("cloudserver_disc_restore", object{
		"virtual_machine_id": idOf(machine), "disc_id": strconv.FormatInt(machine.Discs[1].ID, 10), "backup_id": strconv.FormatInt(backup, 10), "confirm": true,
	})
	restored := 0
	for _, request := range w.service.Journal()[began:] {
		if request.Reached.Done && strings.Contains(request.Path, "/backups/") && request.Method == http.MethodPut {
			restored++
		}
	}
	if restored > 1 {
		w.unplanned = append(w.unplanned, "a restore that was carried out "+strconv.Itoa(restored)+" times")
	}
	return diags
}

// createBeforeDestroy replaces a resource as with create_before_destroy: in one process, the new one is created before the old
// one is destroyed.
func createBeforeDestroy(config object) func(*world) diagnostics {
	return func(w *world) diagnostics {
		ctx, d := w.t.Context(), w.process()
		old, diags := d.Refresh(ctx, w.state)
		if w.note(diags); acctest.HasErrors(diags) {
			return diags
		}
		for _, step := range []struct {
			from *acctest.Object
			to   object
		}{{nil, config}, {old, nil}} {
			applied, more := d.Apply(ctx, w.typeName(), d.Plan(ctx, w.typeName(), step.from, step.to))
			w.note(more)
			if diags = append(diags, more...); acctest.HasErrors(more) {
				break
			}
			if applied != nil {
				w.state = applied
			}
		}
		return diags
	}
}

// readSoftDeleted reads a schedule while its machine is soft-deleted, and after it was undeleted: it is the same schedule.
func readSoftDeleted(config object) func(*world) diagnostics {
	return func(w *world) diagnostics {
		w.service.SoftDelete(9001)
		diags := w.apply(config)
		if err := w.service.Change(9001, func(m *emulator.Machine) { m.Deleted = false }); err != nil {
			w.t.Fatal(err)
		}
		return append(diags, w.apply(config)...)
	}
}

// hideGroups runs do while the service does not list the account's groups before a creation, so that it is unknown
// whether the group existed before.
func hideGroups(do func(*world) diagnostics) func(*world) diagnostics {
	return func(w *world) diagnostics {
		posted := false
		defer w.service.Inject(emulator.Fault{Status: http.StatusInternalServerError, Match: func(r emulator.Request) bool {
			posted = posted || r.Method == http.MethodPost && strings.HasSuffix(r.Path, "/groups")
			return !posted && r.Method == http.MethodGet && strings.HasSuffix(r.Path, "/groups")
		}})()
		return do(w)
	}
}
