// SPDX-License-Identifier: MPL-2.0

package e2e_test

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"testing"
	"testing/synctest"
	"time"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/acctest"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/emulator"
)

// contractNoun is what the contract and the faults have to know of an object that a user manages.
type contractNoun struct {
	name     string
	typeName string
	// prepare adds what the object needs to the service, and returns the configurations of its life.
	prepare func(e *acctest.Emulator) lifeConfigs
	// served and stored return the IDs of the objects that the service has, and that a state has. They are compared.
	served func(e *acctest.Emulator) []string
	stored func(o *acctest.Object) []string
	// remove removes the object outside of Terraform.
	remove func(t *testing.T, e *acctest.Emulator, o *acctest.Object)
	// repeatable means that to create the object again doubles nothing.
	repeatable bool
	// importIDs returns every way to write the ID of an import.
	importIDs func(o *acctest.Object) []string
}

// lifeConfigs are the configurations of the life of an object. Nil means no resource.
type lifeConfigs struct {
	absent  object // without the object. A disc is absent on a machine that exists.
	present object
	changed object // after a change in place; nil if the object cannot change in place
}

const (
	holderName    = "holder" // a machine that schedules and reverse names need
	holderAddress = "192.0.2.10"
)

func contractNouns() []contractNoun {
	return []contractNoun{machineContract(), discContract(), groupContract(), scheduleContract(), reverseNameContract()}
}

func machineContract() contractNoun {
	return contractNoun{
		name: "machine", typeName: vmType,
		prepare: func(*acctest.Emulator) lifeConfigs {
			return lifeConfigs{present: smallMachine(nil), changed: smallMachine(object{"keymap": "de"})}
		},
		served: func(e *acctest.Emulator) (ids []string) {
			for _, m := range e.Machines() {
				if !m.Deleted {
					ids = append(ids, decimal(m.ID))
				}
			}
			return ids
		},
		stored: storedID,
		remove: func(_ *testing.T, e *acctest.Emulator, _ *acctest.Object) { e.Purge(onlyMachine(e).ID) },
		importIDs: func(o *acctest.Object) []string {
			return []string{o.Get("id").(string), "default/web1", "demo/default/web1"}
		},
	}
}

// discContract is the disc "data" of a machine.
func discContract() contractNoun {
	disc := func(blocks ...object) object { return smallMachine(object{"disc": blocks}) }
	boot := object{"label": "vda", "size": 25600}
	return contractNoun{
		name: "disc", typeName: vmType,
		prepare: func(*acctest.Emulator) lifeConfigs {
			return lifeConfigs{
				absent:  disc(boot),
				present: disc(boot, object{"label": "data", "size": 5000}),
				changed: disc(boot, object{"label": "data", "size": 6000}),
			}
		},
		served: func(e *acctest.Emulator) (ids []string) {
			for _, m := range e.Machines() {
				for _, d := range m.Discs {
					if d.Label != "vda" {
						ids = append(ids, decimal(d.ID))
					}
				}
			}
			return ids
		},
		stored: func(o *acctest.Object) (ids []string) {
			discs, _ := o.Get("disc_ids").(map[string]any)
			for label, id := range discs {
				if label != "vda" {
					ids = append(ids, id.(string))
				}
			}
			return ids
		},
		remove: func(t *testing.T, e *acctest.Emulator, _ *acctest.Object) {
			err := e.Change(onlyMachine(e).ID, func(m *emulator.Machine) {
				m.Discs = slices.DeleteFunc(m.Discs, func(d emulator.Disc) bool { return d.Label == "data" })
			})
			if err != nil {
				t.Error(err)
			}
		},
	}
}

func groupContract() contractNoun {
	return contractNoun{
		name: "group", typeName: groupType,
		prepare: func(*acctest.Emulator) lifeConfigs {
			return lifeConfigs{present: object{"name": "team"}, changed: object{"name": "crew"}}
		},
		served: func(e *acctest.Emulator) []string { return addedGroups(e) },
		stored: func(o *acctest.Object) (names []string) {
			if o != nil {
				names = append(names, o.Get("name").(string))
			}
			return names
		},
		remove: func(t *testing.T, e *acctest.Emulator, o *acctest.Object) {
			e.NewDriver(t, nil).MustApply(t.Context(), groupType, o, nil)
		},
		importIDs: func(o *acctest.Object) []string { return []string{"demo/team", "team", o.Get("id").(string)} },
	}
}

func scheduleContract() contractNoun {
	schedulesOf := func(e *acctest.Emulator) (ids []string) {
		for _, m := range e.Machines() {
			for _, d := range m.Discs {
				if d.Backups == nil {
					continue
				}
				for _, s := range d.Backups.Schedules {
					ids = append(ids, decimal(s.ID))
				}
			}
		}
		return ids
	}
	return contractNoun{
		name: "backup schedule", typeName: scheduleType,
		prepare: func(e *acctest.Emulator) lifeConfigs {
			machine, disc := addHolder(e)
			return lifeConfigs{present: object{
				"virtual_machine_id": machine, "disc_id": disc,
				"start_at": "2040-01-31 04:00:00", "interval_seconds": 604800, "capacity": 2,
			}}
		},
		served: schedulesOf,
		stored: storedID,
		remove: func(t *testing.T, e *acctest.Emulator, _ *acctest.Object) {
			err := e.Change(onlyMachine(e).ID, func(m *emulator.Machine) { m.Discs[0].Backups.Schedules = nil })
			if err != nil {
				t.Fatal(err)
			}
		},
		importIDs: func(o *acctest.Object) []string {
			return []string{fmt.Sprintf("%s/%s/%s", o.Get("virtual_machine_id"), o.Get("disc_id"), o.Get("id"))}
		},
	}
}

func reverseNameContract() contractNoun {
	return contractNoun{
		name: "reverse name", typeName: rdnsType, repeatable: true,
		prepare: func(e *acctest.Emulator) lifeConfigs {
			addHolder(e)
			return lifeConfigs{
				present: object{"address": holderAddress, "hostname": "www.example.com"},
				changed: object{"address": holderAddress, "hostname": "web.example.com"},
			}
		},
		served: func(e *acctest.Emulator) (names []string) {
			if name := e.ReverseName(holderAddress); name != "" {
				names = append(names, name)
			}
			return names
		},
		stored: func(o *acctest.Object) (names []string) {
			if o != nil {
				names = append(names, o.Get("hostname").(string))
			}
			return names
		},
		remove:    func(_ *testing.T, e *acctest.Emulator, _ *acctest.Object) { e.Purge(onlyMachine(e).ID) },
		importIDs: func(*acctest.Object) []string { return []string{holderAddress} },
	}
}

// smallMachine returns the configuration of a machine with one disc, and other values for some attributes.
func smallMachine(values object) object {
	config := object{
		"name": "web1", "cores": 2, "memory": 2048, "allow_stopping_for_update": true,
		"disc": objects{{"label": "vda", "size": 25600}},
	}
	maps.Copy(config, values)
	return config
}

// addHolder adds a machine with one disc and the address holderAddress, and returns the IDs of machine and disc.
func addHolder(e *acctest.Emulator) (machine, disc string) {
	id := e.AddMachine(emulator.DemoAccount, emulator.PrivateGroup, emulator.Machine{
		Name: holderName, Discs: []emulator.Disc{{Label: "vda", Size: 25600}},
		Interfaces: []emulator.Interface{{MAC: "52:54:00:00:00:01", IPs: []string{holderAddress}}},
	})
	added, _ := e.Machine(id)
	return decimal(id), decimal(added.Discs[0].ID)
}

func onlyMachine(e *acctest.Emulator) emulator.Machine { return e.Machines()[0] }

// addedGroups returns the names of the groups beside those that a service begins with.
func addedGroups(e *acctest.Emulator) []string {
	return slices.DeleteFunc(e.GroupNames(emulator.DemoAccount), func(name string) bool {
		return name == emulator.DefaultGroup || name == emulator.PrivateGroup
	})
}

func storedID(o *acctest.Object) (ids []string) {
	if o != nil {
		ids = append(ids, o.Get("id").(string))
	}
	return ids
}

func decimal(id int64) string { return strconv.FormatInt(id, 10) }

// inSimulation runs a subtest in simulated time. Waits cost nothing there.
func inSimulation(t *testing.T, name string, test func(t *testing.T)) {
	t.Helper()
	t.Run(name, func(t *testing.T) {
		synctest.Test(t, func(t *testing.T) {
			test(t)
			time.Sleep(time.Hour) // requests that were given up end
		})
	})
}

// findings are what a row of a table found wrong.
type findings []string

func (f *findings) add(format string, args ...any) { *f = append(*f, fmt.Sprintf(format, args...)) }

// report fails the test for each finding.
func (f *findings) report(t *testing.T) {
	t.Helper()
	for _, finding := range *f {
		t.Error(finding)
	}
}
