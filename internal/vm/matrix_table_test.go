package vm_test

import (
	"slices"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/acctest"
)

// What rows are planned beside.
var (
	off       = given{"power_on": false}
	protected = given{"deletion_protection": true}
	inPrivate = given{"group": "private"}
	inYork    = given{"zone_name": "york"}
	image     = given{"reimage.distribution": "bookworm", "reimage.root_password": "test-only"}
	inPlace   = with(image, "reimage.on_change", "reimage")
	mayStop   = given{leave: true}
	addressed = given{"group": "private", "ips.ipv4": "192.0.2.10", "ips.ipv6": "2001:db8:1::a"}
)

const (
	noop    = acctest.ActionNoOp
	create  = acctest.ActionCreate
	update  = acctest.ActionUpdate
	replace = acctest.ActionReplace
	refused = acctest.ActionError

	leave = "allow_stopping_for_update"

	// The IDs of the emulator's first two groups.
	defaultID, privateID = "1002", "1003"

	imaged     = "distribution=bookworm root_password=test-only"
	restarts   = "The update restarts virtual machine"
	lowered    = "waits for a power cycle"
	recorded   = "are only recorded"
	newKey     = "The new key waits for the next image"
	noLogin    = "Nobody can log in to the new image"
	replaced   = "All discs of virtual machine | The service chooses parts of the new machine's specification"
	moves      = `The update moves virtual machine "web1"`
	bootErased = `The boot disc of virtual machine "web1" will be erased`
)

// matrix lists what every attribute and block does on every occasion, in the
// order of the documentation.
func matrix() []row {
	return slices.Concat(placeRows(), machineRows(), switchRows(), discRows(), imageRows(), ipsRows(), timeoutRows(), readyRows())
}

func placeRows() []row {
	return []row{
		{"id", createWithout, nil, nil, nil, create, "create", ""}, // and without all that is optional
		{"id", adopt, nil, nil, nil, noop, "", ""},

		{"account", createWith, nil, nil, "other", create, "create in other/default", ""},
		{"account", change, nil, "demo", "other", update, "PUT group_id=#", moves},
		{"account", remove, nil, "other", nil, noop, "", ""},
		{"account", drift, nil, "demo", "demo", update, "PUT group_id=#", moves},
		{"account", drift, nil, nil, nil, noop, "", ""},
		{"account", adopt, nil, nil, "demo", noop, "", ""},

		{"group", createWith, nil, nil, "private", create, "create in demo/private", ""},
		{"group", change, nil, "default", "private", update, "PUT group_id=#", moves},
		{"group", remove, nil, "private", nil, noop, "", ""},
		{"group", drift, nil, "default", "default", update, "PUT group_id=#", moves},
		{"group", drift, nil, nil, nil, noop, "", ""},
		{"group", adopt, nil, nil, "default", noop, "", ""},

		{"group_id", createWith, nil, nil, privateID, create, "create in demo/1003", ""},
		{"group_id", createWith, inPrivate, nil, privateID, create, "create in demo/private", ""},
		{"group_id", createWith, inPrivate, nil, defaultID, refused, "", "group_id"},
		{"group_id", change, nil, defaultID, privateID, update, "PUT group_id=#", moves},
		{"group_id", change, nil, nil, defaultID, noop, "", ""}, // where it is
		{"group_id", remove, nil, privateID, nil, noop, "", ""},
		{"group_id", drift, nil, defaultID, defaultID, update, "PUT group_id=#", moves},
		{"group_id", drift, nil, nil, nil, noop, "", ""},
		{"group_id", adopt, nil, nil, defaultID, noop, "", ""},

		{"name", createWith, nil, nil, "web1", create, "create", ""},
		{"name", createWith, nil, nil, "1006", refused, "", "digits"},
		{"name", createWithout, nil, nil, nil, refused, "", "name"},
		{"name", change, nil, "web1", "web2", update, "PUT name=web2", ""},
		{"name", change, nil, "web1", "1006", refused, "", "digits"},
		{"name", remove, nil, "web1", nil, refused, "", "name"},
		{"name", drift, nil, "web1", "web1", update, "PUT name=web1", ""},
		{"name", adopt, nil, "web1", "web1", noop, "", ""},
	}
}
