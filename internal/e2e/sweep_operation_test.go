package e2e_test

import (
	"bytes"
	"fmt"
	"maps"
	"net/http"
	"time"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/acctest"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/emulator"
)

// sharedTasks are those whose requests meet faults, and between whose requests somebody else does something.
func sharedTasks() []task {
	team, name, schedule := object{"name": "team"}, nameOf("198.51.100.2", "web1.example.com"), weekly("9001", "9002")
	var all []task
	for _, row := range []struct {
		name          string
		kind          string
		before, after object
	}{
		{name: "create", after: web(nil)},
		{name: "create, off", after: web(object{"power_on": false})},
		{name: "create, own address", after: web(object{"group": "private", "ips": object{"ipv4": "192.0.2.77"}})},
		{name: "read", before: web(nil), after: web(nil)},
		{name: "rename", before: web(nil), after: web(object{"name": "web2"})},
		{name: "move", before: web(nil), after: web(object{"group": "private"})},
		{name: "move by group_id", before: web(nil), after: web(object{"group_id": "1003"})},
		{name: "raise cores", before: web(nil), after: web(object{"cores": 4, "memory": 4096})},
		{name: "lower memory", before: web(nil), after: web(object{"memory": 1024})},
		{name: "settings", before: web(nil), after: web(acctest.SettingsWith(0), object{"autoreboot_on": false})},
		{name: "switch off", before: web(nil), after: web(object{"power_on": false})},
		{name: "switch on", before: web(object{"power_on": false}), after: web(object{"power_on": true})},
		{name: "rename disc", before: web(nil), after: web(discs("vda", 25600, "data", 10240))},
		{name: "grow disc", before: web(nil), after: web(discs("vda", 25600, "vdb", 20480))},
		{name: "add disc", before: web(nil), after: web(discs("vda", 25600, "vdb", 10240, "vdc", 5120))},
		{name: "remove disc", before: web(nil), after: web(discs("vda", 25600))},
		{name: "everything", before: web(nil), after: web(discs("vda", 30000, "vdc", 5120, "vdd", 5120), object{"name": "web2", "group": "private", "cores": 4})},
		{name: "reimage in place", before: web(nil), after: web(image("trixie", true))},
		{name: "replace", before: web(nil), after: web(object{"zone_name": "manchester"})},
		{name: "destroy", before: web(nil)},
		{name: "soft delete", before: web(object{"purge_on_destroy": false})},
		{name: "group, create", kind: groupType, after: team},
		{name: "group, rename", kind: groupType, before: team, after: object{"name": "team2"}},
		{name: "group, destroy", kind: groupType, before: team},
		{name: "rdns, set", kind: rdnsType, after: name},
		{name: "rdns, change", kind: rdnsType, before: name, after: nameOf("198.51.100.2", "web2.example.com")},
		{name: "rdns, destroy", kind: rdnsType, before: name},
		{name: "schedule, create", kind: scheduleType, after: schedule},
		{name: "schedule, destroy", kind: scheduleType, before: schedule},
	} {
		all = append(all, task{name: row.name, resources: []resource{{kind: row.kind, before: row.before, after: row.after}}})
	}
	return append(all, []task{
		{name: "import by name", resources: alone(web(nil), web(nil)), do: importBy(func(m emulator.Machine) string { return "demo/default/" + m.Name })},
		{name: "import by id", resources: alone(web(nil), web(nil)), do: importBy(idOf)},
		invoking("start", "cloudserver_vm_power", object{"state": "start"}, power).after(off),
		invoking("stop", "cloudserver_vm_power", object{"state": "stop"}, power),
		invoking("restart", "cloudserver_vm_power", object{"state": "restart"}, power),
		invoking("reset", "cloudserver_vm_signal", object{"signal": "reset"}, power),
		invoking("reimage", "cloudserver_vm_reimage", object{"distribution": "trixie", "ssh_public_key": "ssh-ed25519 A", "allow_stopping": true}, power, "POST reimage"),
		invoking("restore", "cloudserver_disc_restore", object{"disc_id": ownDisc, "backup_id": ownBackup, "confirm": true}, "PUT backup").after(backedUp).lasting(2 * time.Hour),
	}...)
}

// faultTasks are all tasks whose requests meet faults, and the login with one of each kind.
func faultTasks() []task {
	team, name, schedule := object{"name": "team"}, nameOf("198.51.100.2", "web1.example.com"), weekly("9001", "9002")
	all := append(sharedTasks(), []task{
		{name: "definitions", resources: alone(nil, nil), names: "definitions", do: readDefinitions},
		{name: "create, taken", resources: alone(nil, web(nil)), prepare: takeName, expects: nameOfMachineTaken},
		{name: "group, taken", resources: []resource{{kind: groupType, after: team}}, prepare: takeGroup, expects: nameOfGroupTaken},
		{name: "group, taken and not listed", resources: []resource{{kind: groupType, after: team}}, prepare: takeGroup, expects: nameOfGroupTaken, do: hideGroups},
		{name: "rdns, replaced with create_before_destroy", resources: []resource{{kind: rdnsType, before: name, after: name}}, do: createBeforeDestroy},
		{name: "schedule, after a soft delete", resources: []resource{{kind: scheduleType, before: schedule, after: schedule}}, do: readSoftDeleted},
	}...)
	seen := map[string]bool{}
	for i := range all {
		t := &all[i]
		sort := fmt.Sprint(t.resources[0].kind, t.resources[0].before == nil, t.do == nil)
		t.hasty, t.logsIn, seen[sort] = true, !seen[sort], true
		t.mayStayOff = t.name == "action restart"
	}
	return all
}

// web returns the machine of most operations, with changes.
func web(changes ...object) object {
	config := object{
		"name": "web1", "cores": 2, "memory": 2048, "allow_stopping_for_update": true,
		"timeouts": object{"create": "2m", "update": "2m", "delete": "2m"},
	}
	maps.Copy(config, discs("vda", 25600, "vdb", 10240))
	maps.Copy(config, image("bookworm", true))
	for _, change := range changes {
		maps.Copy(config, change)
	}
	return config
}

// discs returns disc blocks for alternating labels and sizes.
func discs(labelsAndSizes ...any) object {
	var blocks objects
	for i := 0; i < len(labelsAndSizes); i += 2 {
		blocks = append(blocks, object{"label": labelsAndSizes[i], "size": labelsAndSizes[i+1]})
	}
	return object{"disc": blocks}
}

func image(distribution string, inPlace bool) object {
	return object{"reimage": object{
		"distribution": distribution, "on_change": map[bool]string{true: "reimage", false: "replace"}[inPlace],
		"root_password": rootPassword, "revision": "1", "firstboot_script": bootScript,
	}}
}

// start is the starting point of an operation, which can be repeated without a provider: the same requests result in
// the same IDs.
type start struct {
	state    *acctest.Object
	requests []emulator.Request
}

// replay repeats it in another world.
func (s start) replay(w *world) {
	w.t.Helper()
	for _, sent := range s.requests {
		if sent.Method == http.MethodGet || sent.Path == "/session" {
			continue
		}
		r, err := http.NewRequestWithContext(w.t.Context(), sent.Method, w.service.URL+sent.Path+"?"+sent.Query, bytes.NewReader(sent.Body))
		if err != nil {
			w.t.Fatal(err)
		}
		r.Header = sent.Header.Clone()
		r.Header.Set("Authorization", "Bearer "+emulator.DemoAPIKey)
		if answer, err := w.service.Transport().RoundTrip(r); err != nil || answer.StatusCode != sent.Status {
			w.t.Fatalf("%s %s cannot be replayed: %v", sent.Method, sent.Path, err)
		}
	}
	time.Sleep(time.Minute) // it boots
	w.state = s.state
}
