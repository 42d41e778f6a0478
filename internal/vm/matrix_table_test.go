// SPDX-License-Identifier: MPL-2.0

package vm_test

import (
	"slices"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/acctest"
)

// The rest of the configuration, for the field beside of a row.
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

	imaged     = "distribution=bookworm root_password=test-only"
	restarts   = "The update restarts the machine"
	lowered    = "The guest sees the change after the next power cycle"
	recorded   = "are only recorded"
	newKey     = "The new key waits for the next image"
	noLogin    = "Nobody can log in to the new image"
	replaced   = "will be lost | The service chooses parts of the new machine's specification"
	moves      = "The update moves the machine"
	bootErased = `The boot disc of virtual machine "web1" will be erased`
)

// matrix returns what every attribute and block does on every occasion, in the order of the documentation.
func matrix() []row {
	return slices.Concat(locationRows(), machineRows(), switchRows(), discRows(), imageRows(), ipsRows(), timeoutRows(), readyRows())
}

func locationRows() []row {
	return []row{
		{path: "id", when: createWithout, plan: create, sent: "create"}, // and without anything that is optional
		{path: "id", when: adopt, plan: noop},

		{path: "account", when: createWith, to: "other", plan: create, sent: "create in other/default"},
		{path: "account", when: change, from: "demo", to: "other", plan: update, sent: "PUT group_id=#", says: moves},
		{path: "account", when: remove, from: "other", plan: noop},
		{path: "account", when: drift, from: "demo", to: "demo", plan: update, sent: "PUT group_id=#", says: moves},
		{path: "account", when: drift, plan: noop},
		{path: "account", when: adopt, to: "demo", plan: noop},

		{path: "group", when: createWith, to: "private", plan: create, sent: "create in demo/private"},
		{path: "group", when: change, from: "default", to: "private", plan: update, sent: "PUT group_id=#", says: moves},
		{path: "group", when: remove, from: "private", plan: noop},
		{path: "group", when: drift, from: "default", to: "default", plan: update, sent: "PUT group_id=#", says: moves},
		{path: "group", when: drift, plan: noop},
		{path: "group", when: adopt, to: "default", plan: noop},

		{path: "group_id", when: drift, plan: noop},
		{path: "account_id", when: drift, plan: noop},

		{path: "name", when: createWith, to: "web1", plan: create, sent: "create"},
		{path: "name", when: createWith, to: "1006", plan: refused, says: "digits"},
		{path: "name", when: createWithout, plan: refused, says: "name"},
		{path: "name", when: change, from: "web1", to: "web2", plan: update, sent: "PUT name=web2"},
		{path: "name", when: change, from: "web1", to: "1006", plan: refused, says: "digits"},
		{path: "name", when: remove, from: "web1", plan: refused, says: "name"},
		{path: "name", when: drift, from: "web1", to: "web1", plan: update, sent: "PUT name=web1"},
		{path: "name", when: adopt, from: "web1", to: "web1", plan: noop},
	}
}
