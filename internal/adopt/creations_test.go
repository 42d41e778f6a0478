package adopt

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/existing"
)

// planOf returns a plan that creates resources with these values.
func planOf(t *testing.T, creations map[string]map[string]any) []change {
	t.Helper()
	var changes []any
	for address, after := range creations {
		changes = append(changes, map[string]any{
			"address": address, "mode": "managed", "type": address[:strings.Index(address, ".")], "name": "x",
			"change": map[string]any{"actions": []string{"create"}, "after": after, "after_unknown": map[string]any{}},
		})
	}
	text, err := json.Marshal(map[string]any{"format_version": "1.2", "resource_changes": changes})
	if err != nil {
		t.Fatal(err)
	}
	p, err := parsePlan(text)
	if err != nil {
		t.Fatal(err)
	}
	all, err := p.changes()
	if err != nil {
		t.Fatal(err)
	}
	return all
}

// TestDecide: creations are joined with what the provider has found by planned values.
func TestDecide(t *testing.T) {
	t.Parallel()
	machine := func(id string) map[string]any {
		return map[string]any{"account": "demo", "group": "web", "name": "web1", "id": id}
	}
	foundMachine := func(service, id string) existing.FoundCreation {
		return existing.FoundCreation{Service: service, Creation: existing.Creation{
			Type: machineType, Planned: map[string]string{"account": "demo", "group": "web", "name": "web1", "id": id}, ImportIDs: []string{id},
		}}
	}
	absent := existing.FoundCreation{Service: "s", Creation: existing.Creation{Type: machineType, Planned: map[string]string{"account": "demo", "group": "web", "name": "web1"}}}
	schedule := map[string]any{"virtual_machine_id": "1", "disc_id": "2", "start_at": "2030-01-06 04:00:00", "interval_seconds": 3600}
	foundSchedule := func(service string, ids ...string) existing.FoundCreation {
		return existing.FoundCreation{Service: service, Creation: existing.Creation{
			Type: scheduleType, Planned: map[string]string{"virtual_machine_id": "1", "disc_id": "2", "start_at": "2030-01-06 04:00:00", "interval_seconds": "3600"}, ImportIDs: ids,
		}}
	}
	type of = map[string]map[string]any
	for name, test := range map[string]struct {
		creations of
		findings  []existing.FoundCreation
		managed   map[string]string
		want      string // import IDs, and the sizes of the lists
	}{
		"found":                      {of{"cloudserver_vm.a": machine("7")}, []existing.FoundCreation{foundMachine("s", "7")}, nil, "[7] 0 absent 0 twice 0 unknown"},
		"absent":                     {of{"cloudserver_vm.a": machine("")}, []existing.FoundCreation{absent}, nil, "[] 1 absent 0 twice 0 unknown"},
		"found in a later plan":      {of{"cloudserver_vm.a": machine("7")}, []existing.FoundCreation{absent, foundMachine("s", "7")}, nil, "[7] 0 absent 0 twice 0 unknown"},
		"not looked for":             {of{"cloudserver_vm.a": machine("")}, nil, nil, "[] 0 absent 0 twice 1 unknown"},
		"of another name":            {of{"cloudserver_vm.a": {"account": "demo", "group": "web", "name": "web2"}}, []existing.FoundCreation{absent}, nil, "[] 0 absent 0 twice 1 unknown"},
		"in the state":               {of{"cloudserver_vm.a": machine("7")}, []existing.FoundCreation{foundMachine("s", "7")}, map[string]string{"cloudserver_vm 7": "cloudserver_vm.b"}, "[] 0 absent 1 twice 0 unknown"},
		"two addresses":              {of{"cloudserver_vm.a": machine("7"), "cloudserver_vm.b": machine("7")}, []existing.FoundCreation{foundMachine("s", "7"), foundMachine("s", "7")}, nil, "[] 0 absent 2 twice 0 unknown"},
		"two services with one ID":   {of{"cloudserver_vm.a": machine("7"), "cloudserver_vm.b": machine("7")}, []existing.FoundCreation{foundMachine("s", "7"), foundMachine("other", "7")}, nil, "[7 7] 0 absent 0 twice 0 unknown"},
		"two services with two IDs":  {of{"cloudserver_vm.a": machine("7"), "cloudserver_vm.b": machine("8")}, []existing.FoundCreation{foundMachine("s", "7"), foundMachine("other", "8")}, nil, "[7 8] 0 absent 0 twice 0 unknown"},
		"equal schedules":            {of{"cloudserver_backup_schedule.a": schedule, "cloudserver_backup_schedule.b": schedule}, []existing.FoundCreation{foundSchedule("s", "1/2/3", "1/2/4")}, nil, "[1/2/3 1/2/4] 0 absent 0 twice 0 unknown"},
		"one of them in the state":   {of{"cloudserver_backup_schedule.a": schedule}, []existing.FoundCreation{foundSchedule("s", "1/2/3", "1/2/4")}, map[string]string{"cloudserver_backup_schedule 1/2/3": "cloudserver_backup_schedule.c"}, "[1/2/4] 0 absent 0 twice 0 unknown"},
		"one schedule for two":       {of{"cloudserver_backup_schedule.a": schedule, "cloudserver_backup_schedule.b": schedule}, []existing.FoundCreation{foundSchedule("s", "1/2/3")}, nil, "[1/2/3] 1 absent 0 twice 0 unknown"},
		"schedules of two services":  {of{"cloudserver_backup_schedule.a": schedule}, []existing.FoundCreation{foundSchedule("s", "1/2/3"), foundSchedule("other", "1/2/9")}, nil, "[] 0 absent 0 twice 1 unknown"},
		"a schedule of other values": {of{"cloudserver_backup_schedule.a": {"virtual_machine_id": "1", "disc_id": "2", "start_at": "2030-01-06 04:00:00", "interval_seconds": 7200}}, []existing.FoundCreation{foundSchedule("s", "1/2/3")}, nil, "[] 0 absent 0 twice 1 unknown"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			findings := existing.Findings{Creations: test.findings}
			r := decide(planOf(t, test.creations), test.managed, findings, func(c change) *answer { return answerTo(c, findings) })
			ids := []string{}
			for _, l := range r.found {
				ids = append(ids, l.importID)
			}
			if len(ids) == 2 && ids[0] > ids[1] {
				ids[0], ids[1] = ids[1], ids[0] // the plan of the test has no order
			}
			if got := fmt.Sprintf("%v %d absent %d twice %d unknown", ids, len(r.absent), len(r.twice), len(r.unknown)); got != test.want {
				t.Errorf("got %s, want %s", got, test.want)
			}
		})
	}
}

// TestAddresses: only addresses become part of a configuration.
func TestAddresses(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"cloudserver_vm.a":                               "cloudserver_vm.a cloudserver_vm.a []  false",
		`cloudserver_vm.a["x\"${y}"]`:                    "",
		`cloudserver_vm.a["x.y"]`:                        "cloudserver_vm.a cloudserver_vm.a [] x.y false",
		`module.m["k"].module.n[0].cloudserver_vm.a[10]`: `module.m["k"].module.n[0].cloudserver_vm.a module.m.module.n.cloudserver_vm.a [m n] 10 true`,
		"cloudserver_vm.a\n}":                            "",
		"cloudserver_vm.a = 1":                           "",
	} {
		a, err := parseAddress(text)
		got := ""
		if err == nil {
			got = fmt.Sprintf("%s %s %v %s %t", a.block, a.resource, a.modules, a.keyText(), a.isCounted())
		}
		if got != want {
			t.Errorf("%s: got %s (%v), want %s", text, got, err, want)
		}
	}
}

// TestArgumentsOfPlan: another plan than that of an apply is refused, wherever its arguments are.
func TestArgumentsOfPlan(t *testing.T) {
	for arguments, want := range map[string]string{
		"":                           "",
		"-var-file=prod.tfvars -var": "",
		"-out=plan":                  "-out=plan after --",
		"--destroy":                  "--destroy after --",
		"-refresh-only":              "-refresh-only after --",
		"-var destroy":               "",
	} {
		if err := checkArguments(strings.Fields(arguments)); fmt.Sprint(err) == "<nil>" != (want == "") || err != nil && !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want %q", arguments, err, want)
		}
	}
	t.Setenv("TF_CLI_ARGS_plan", "-out=plan -destroy")
	if err := checkArguments(nil); err == nil || !strings.Contains(err.Error(), "-destroy in TF_CLI_ARGS_plan") {
		t.Error(err)
	}
}

// TestLinesOfTheProvider: several processes write a file, and one of them was killed in a line.
func TestLinesOfTheProvider(t *testing.T) {
	t.Parallel()
	var file strings.Builder
	for _, service := range []string{"a", "b", "a"} {
		log := existing.NewLog(&file)
		log.Service = service
		if err := log.Group(existing.Group{Account: "demo", Name: "web", Machines: []existing.Machine{{ID: "1", Name: "web1"}, {ID: "2", Name: "old", SoftDeleted: true, Schedules: []string{"2/3/4"}}}}); err != nil {
			t.Fatal(err)
		}
		if err := log.Creation(existing.Creation{Type: groupType}); err != nil {
			t.Fatal(err)
		}
	}
	findings, err := existing.Read(strings.NewReader(file.String() + `{"service":"a","crea`))
	if err != nil || len(findings.Groups) != 2 || len(findings.Creations) != 3 {
		t.Errorf("%+v, %v", findings, err)
	}
	if lines := unmanaged(findings, map[string]string{}, nil); len(lines) != 2 {
		t.Errorf("%q", lines)
	}
	if _, err := existing.Read(strings.NewReader("nonsense\n")); err == nil {
		t.Error("nonsense is read")
	}
}
