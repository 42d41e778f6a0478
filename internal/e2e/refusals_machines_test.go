// SPDX-License-Identifier: MPL-2.0

package e2e_test

import (
	"net/http"
	"slices"
	"strings"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/acctest"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/emulator"
)

// machineRefusals are those of vm_create, of PUT and of the calls for discs, in this order.
func machineRefusals() []refusal {
	const (
		reference  = "the number is from the service's reference pages: a warning, unless something is lost first"
		letters    = "which letters a name may have is not documented"
		mayChange  = "another change of the same plan may free the name or create the group"
		notShown   = "no answer of the service shows whether a group is private, its range, or what others hold"
		notOffered = "the service does not list what it offers"
		ownRules   = "the rules for passwords are the service's"
	)
	image := object{"distribution": "bookworm", "ssh_public_key": sshKey}
	base := object{"zone_name": "york", "group": emulator.PrivateGroup, "disc": discsOf(25600), "reimage": image}
	imaged := func(name, value string) object {
		return object{"reimage": object{"distribution": "bookworm", "ssh_public_key": sshKey, name: value}}
	}
	rows := []refusal{
		{name: "empty name", values: object{"name": ""}, stage: atValidate, says: "error at name"},
		{name: "slash in the name", values: object{"name": "web/1"}, stage: atValidate, says: "error at name"},
		{name: "name of digits", values: object{"name": "123"}, stage: atPlan, says: "digits only"},
		{name: "short name", values: object{"name": "ab"}, stage: atPlanWarning, says: `refuses the name "ab"`, harshest: atPlan, reason: reference},
		{name: "name in capitals", values: object{"name": "Web1"}, stage: atPlanWarning, says: `Write "web1"`, lost: true, reason: letters},
		{name: "long name", values: object{"name": strings.Repeat("a", 64)}, stage: atPlanWarning, says: "may refuse the name", lost: true, reason: letters},
		{name: "taken name", values: object{"name": "other"}, stage: atPlanWarning, says: `"other" is taken`, lost: true, reason: mayChange},
		{name: "no such group", values: object{"group": "nowhere"}, stage: atPlanWarning, says: "The group does not exist", lost: true, reason: mayChange},
		{name: "no such account", values: object{"account": "dmeo"}, stage: atPlan, says: `Cannot find account "dmeo"`},
		{name: "no cores", values: object{"cores": 0}, stage: atValidate, says: "error at cores"},
		{name: "no memory", values: object{"memory": 0}, stage: atValidate, says: "error at memory"},
		{name: "fraction of memory", values: object{"memory": 1000.5}, stage: atValidate, says: "error at memory"},
		{
			name: "memory of no offer", values: object{"memory": 1000}, world: refuseMemory, stage: atApplyUnchanged, says: "error at memory",
			harshest: atApply, lost: true, reason: notOffered,
		},
		{
			name: "profile", values: object{"hardware_profile": "virtio2099"}, stage: atPlanWarning, says: `"virtio2099"`, lost: true, stopped: true,
			reason: "the service may accept more profiles than it lists",
		},
		{name: "keymap", values: object{"keymap": "xx"}, stage: atPlan, says: `Invalid keymap "xx"`},
		{name: "zone", values: object{"zone_name": "yrok"}, stage: atPlan, says: `Did you mean "york"?`},
		{name: "no URL", values: object{"cdrom_url": "a.iso"}, stage: atValidate, says: "error at cdrom_url"},
		{
			name: "CD of another scheme", values: object{"cdrom_url": "ftp://a.example/a.iso"}, stage: atPlanWarning, says: "https:// or http://",
			lost: true, stopped: true, reason: "which URLs the service can fetch is not documented",
		},
		{name: "power that does not stay", values: object{"power_on": false, "autoreboot_on": true}, stage: atValidate, says: "power_on"},

		{name: "no disc", values: object{"disc": nil}, stage: atPlan, says: "disc"},
		{name: "nine discs", values: object{"disc": discsOf(25600, 50, 50, 50, 50, 50, 50, 50, 50)}, stage: atValidate, says: "at most 8"},
		{
			name: "nine with the unmanaged", values: object{"disc": discsOf(25600, 50, 50, 50, 50, 50, 50, 50)}, world: addStrangeDisc,
			exists: true, stage: atPlanWarning, says: "Too many discs", harshest: atPlan, reason: reference,
		},
		{name: "empty label", values: labelledDisc(""), stage: atValidate, says: "label"},
		{name: "label twice", values: labelledDisc("vda"), stage: atValidate, says: "Duplicate disc label"},
		{name: "label of digits", values: labelledDisc("12"), stage: atPlan, says: "digits only"},
		{name: "disc without a size", values: object{"disc": discsOf(25600, 0)}, stage: atValidate, says: "at least 1"},
		{
			name: "disc of some gigabytes", values: object{"disc": discsOf(25600, 25)}, stage: atPlanWarning, says: "write size = 25600",
			harshest: atPlan, reason: reference,
		},
		{name: "grade", values: gradedDisc("nvme"), stage: atPlan, says: `Invalid storage grade "nvme"`},
		{name: "smaller disc", values: object{"disc": discsOf(20000)}, exists: true, stage: atPlan, says: "Cannot shrink disc"},
		{name: "grade of a disc", values: object{"disc": []object{{"label": "vda", "size": 25600, "storage_grade": "archive"}}}, exists: true, stage: atPlan, says: "Cannot change the storage grade"},

		{name: "no distribution", values: imaged("distribution", ""), stage: atValidate, says: "distribution"},
		{name: "distribution", values: imaged("distribution", "bokworm"), stage: atPlan, says: `Did you mean "bookworm"`},
		{
			name: "short password", values: imaged("root_password", "ab"), stage: atApplyUnchanged, says: "root_password is too short (minimum is",
			harshest: atApply, lost: true, reason: ownRules,
		},
		{name: "no address", values: object{"ips": object{"ipv4": "192.0.2.300"}}, stage: atValidate, says: "error at ips.ipv4"},
		{
			name: "address of a public group", values: object{"group": "default", "ips": object{"ipv4": "192.0.2.77"}}, stage: atApplyUnchanged,
			says: "error at ips.ipv4", harshest: atApply, lost: true, reason: notShown,
		},
		{
			name: "address out of range", values: object{"ips": object{"ipv4": "203.0.113.1"}}, stage: atApplyUnchanged, says: "error at ips.ipv4",
			harshest: atApply, lost: true, reason: notShown,
		},
		{
			name: "taken address", values: object{"ips": object{"ipv4": "192.0.2.20"}}, stage: atApplyUnchanged, says: "With create_before_destroy",
			harshest: atApply, lost: true, reason: notShown,
		},
	}
	// What an update does not send, or what the service cannot refuse of an existing machine.
	ofNewMachines := []string{
		"memory of no offer", "zone", "no such account", "no such group", "no disc", "distribution", "short password", "address of a public group",
		"address out of range", "taken address",
	}
	// What a replacement does not compare with the old machine.
	ofOldMachines := []string{"nine with the unmanaged", "smaller disc", "grade of a disc"}
	for i := range rows {
		row := &rows[i]
		row.noun, row.base = "machine", base
		row.replaces, row.stops = object{"zone_name": "manchester"}, object{"cores": 4}
		switch {
		case slices.Contains(ofNewMachines, row.name):
			row.stops = nil
		case slices.Contains(ofOldMachines, row.name):
			row.replaces = nil
		}
	}
	return rows
}

// discsOf returns blocks of discs with these sizes.
func discsOf(sizes ...int) []object {
	var blocks []object
	for i, size := range sizes {
		blocks = append(blocks, object{"label": "vd" + string(rune('a'+i)), "size": size, "storage_grade": "sata"})
	}
	return blocks
}

func labelledDisc(label string) object {
	blocks := discsOf(25600, 5000)
	blocks[1]["label"] = label
	return object{"disc": blocks}
}

func gradedDisc(grade string) object {
	blocks := discsOf(25600, 5000)
	blocks[1]["storage_grade"] = grade
	return object{"disc": blocks}
}

// addStrangeDisc adds a disc that is in no configuration to the machine of the case.
func addStrangeDisc(e *acctest.Emulator) {
	e.AddDisc(onlyMachine(e).ID, emulator.Disc{Label: "theirs", Size: 50, StorageGrade: "sata"})
}

// refuseMemory has the service refuse the memory of a new machine.
func refuseMemory(e *acctest.Emulator) {
	e.Inject(emulator.Fault{
		Match:  func(r emulator.Request) bool { return strings.HasSuffix(r.Path, "/vm_create") },
		Status: http.StatusBadRequest, Body: `{"memory":["is not included in the list"]}`,
		Header: http.Header{"Content-Type": {"application/json"}},
	})
}
