package e2e_test

import (
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"testing/synctest"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/acctest"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/emulator"
)

// privateUse is what a refresh or a destroy does only because of a private state.
type privateUse struct {
	world   func(e *acctest.Emulator) // what has happened since
	destroy bool                      // or else a refresh
	says    string                    // what it says, or sends
}

func purge(e *acctest.Emulator) { e.Purge(e.Machines()[0].ID) }

// renameTeam renames the group, and adds a machine whose hostname shows the service's domain.
func renameTeam(e *acctest.Emulator) {
	e.AddMachine(emulator.DemoAccount, "team", emulator.Machine{Name: "mail"})
	_ = e.RenameGroup(emulator.DemoAccount, "team", "crew") // the replay shows if it failed
}

// privateUses has every key that the private state of another resource than a machine may have.
var privateUses = map[string]map[string]privateUse{
	groupType: {
		"domain": {world: renameTeam, says: "an object of another service"},
	},
	scheduleType: {
		"account":    {world: purge, says: `elsewhere`},
		"account_id": {world: purge, says: `with the ID 7777`},
		"domain":     {says: "elsewhere.example"},
		"likeness":   {says: "The domain of the service has changed"},
		"mark":       {destroy: true, says: "DELETE "},
	},
	rdnsType: {
		"account":  {world: purge, says: "elsewhere"},
		"accounts": {world: purge, says: "elsewhere"},
		"homes":    {world: purge, says: "with the ID 7777"},
		"set":      {destroy: true, says: "PUT "},
		"mark":     {destroy: true, says: "PUT "},
	},
}

// TestEditionsPrivateStatesOfOthers is TestEditionsPrivateStates for groups, schedules and reverse names.
func TestEditionsPrivateStatesOfOthers(t *testing.T) {
	t.Parallel()
	sources := map[string]string{groupType: "../group/find.go", scheduleType: "../backup/find.go", rdnsType: "../rdns/account.go"}
	for typeName, file := range sources {
		source, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		_, fields, _ := strings.Cut(string(source), "Private struct {")
		fields, _, _ = strings.Cut(fields, "\n}")
		var keys []string
		for _, tag := range regexp.MustCompile("`json:\"([a-z_]+)").FindAllStringSubmatch(fields, -1) {
			keys = append(keys, tag[1])
		}
		if slices.Sort(keys); !slices.Equal(keys, slices.Sorted(maps.Keys(privateUses[typeName]))) {
			t.Errorf("private states of %s have the keys %v, tested are %v", typeName, keys, slices.Sorted(maps.Keys(privateUses[typeName])))
		}
	}
	files, err := filepath.Glob("testdata/editions/*/private_others.json")
	if err != nil || len(files) == 0 {
		t.Fatalf("no edition: %v", err)
	}
	for _, file := range files {
		content, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		var states map[string]map[string]json.RawMessage
		if err := json.Unmarshal(content, &states); err != nil {
			t.Fatal(err)
		}
		for typeName, kinds := range states {
			for kind, kept := range kinds {
				t.Run(fmt.Sprintf("%s/%s/%s", filepath.Base(filepath.Dir(file)), typeName, kind), func(t *testing.T) {
					t.Parallel()
					synctest.Test(t, func(t *testing.T) {
						use := privateUses[typeName][kind]
						with, without := use.replay(t, typeName, string(kept)), use.replay(t, typeName, "")
						if !strings.Contains(with, use.says) || strings.Contains(without, use.says) {
							t.Errorf("want %q with the private state alone; with it\n%s\nwithout it\n%s", use.says, with, without)
						}
					})
				})
			}
		}
	}
}

// replay returns the messages and requests of a refresh or a destroy of an object with that private state. A private
// state without the key under test shows its effect.
func (u privateUse) replay(t *testing.T, typeName, kept string) string {
	d, e := acctest.Drive(t, emulator.Options{}, nil)
	ctx := t.Context()
	id := e.AddMachine(emulator.DemoAccount, emulator.DefaultGroup, emulator.Machine{
		Name: "web1", Discs: []emulator.Disc{{Label: "vda", Size: 25600}},
		Interfaces: []emulator.Interface{{MAC: "52:54:00:00:00:01", IPs: []string{"192.0.2.10"}}},
	})
	machine, _ := e.Machine(id)
	o := d.MustApply(ctx, typeName, nil, map[string]map[string]any{
		groupType:    {"name": "team"},
		scheduleType: {"virtual_machine_id": fmt.Sprint(id), "disc_id": fmt.Sprint(machine.Discs[0].ID), "start_at": "2030-01-31 04:00:00", "interval_seconds": 604800},
		rdnsType:     {"address": "192.0.2.10", "hostname": "www.example.com"},
	}[typeName])
	var keys map[string][]byte
	if len(o.Private) > 0 {
		if err := json.Unmarshal(o.Private, &keys); err != nil {
			t.Fatal(err)
		}
	}
	var wrote struct {
		Mark string `json:"mark"`
	}
	_ = json.Unmarshal(keys["kept"], &wrote) // a group may keep nothing
	private, err := json.Marshal(map[string][]byte{"kept": []byte(strings.ReplaceAll(kept, "MARK", wrote.Mark))})
	if err != nil {
		t.Fatal(err)
	}
	if kept == "" {
		private = nil
	}
	o.Private = private
	if u.world != nil {
		u.world(e)
	}
	e.ResetJournal()
	if !u.destroy {
		_, diags := d.Refresh(ctx, o)
		return acctest.DiagText(diags)
	}
	_, diags := d.Apply(ctx, typeName, d.Plan(ctx, typeName, o, nil))
	return acctest.DiagText(diags) + strings.Join(e.AllCalls(), "\n")
}
