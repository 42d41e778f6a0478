// SPDX-License-Identifier: MPL-2.0

package vm_test

import "slices"

func discRows() []row {
	return []row{
		{path: "disc", when: createWith, to: discs("vda:25600", "vdb:51200:ssd"), plan: create, sent: "create discs=vda:25600,vdb:51200:ssd"},
		{path: "disc", when: change, from: discs("vda:25600"), to: discs("vda:25600", "vdb:51200"), plan: update, sent: "POST disc label=vdb size=51200", says: `"web1" is on, and this update does not restart it: disc "vdb" is added`},
		{path: "disc", when: change, beside: off, from: discs("vda:25600"), to: discs("vda:25600", "vdb:51200"), plan: update, sent: "POST disc label=vdb size=51200"},
		{path: "disc", when: remove, from: discs("vda:25600", "vdb:51200"), to: discs("vda:25600"), plan: update, sent: "DELETE disc?purge=true", says: `Discs of virtual machine "web1" will be purged: "vdb"`},
		{path: "disc", when: remove, beside: protected, from: discs("vda:25600", "vdb:51200"), to: discs("vda:25600"), plan: refused, says: `Cannot purge disc "vdb"`},
		{path: "disc", when: remove, from: discs("vda:25600"), plan: refused, says: "Cannot change the boot disc"},
		{path: "disc", when: drift, beside: off, from: discs("vda:25600", "vdb:51200"), to: discs("vda:25600", "vdb:51200"), plan: update, sent: "POST disc label=vdb size=51200"}, // lost
		{path: "disc", when: adopt, from: discs("vda:25600", "vdb:51200"), to: discs("vda:25600", "vdb:51200"), plan: noop},
		{path: "disc", when: adopt, from: discs("vda:25600", "vdb:51200"), to: discs("vda:25600"), plan: update, says: "Discs of the machine are left alone"},
		{path: "disc", when: adopt, from: discs("vda:25600", "vdb:51200"), to: discs("vdb:51200"), plan: refused, says: `Cannot plan the discs of virtual machine "web1"`},

		{path: "disc.0.label", when: createWith, to: "boot", plan: create, sent: "create discs=boot:25600"},
		{path: "disc.0.label", when: createWith, to: "1006", plan: refused, says: "digits"},
		{path: "disc.0.label", when: createWithout, plan: refused, says: "label"},
		{path: "disc.0.label", when: change, from: "vda", to: "boot", plan: update, sent: "PUT disc label=boot"},
		{path: "disc.0.label", when: change, from: "vda", to: "1006", plan: refused, says: "digits"},
		{path: "disc.0.label", when: remove, from: "vda", plan: refused, says: "label"},
		{path: "disc.0.label", when: drift, from: "vda", to: "vda", plan: noop},
		{path: "disc.0.label", when: adopt, from: "vda", to: "vda", plan: noop},
		{path: "disc.0.size", when: createWith, to: 51200, plan: create, sent: "create discs=vda:51200"},
		{path: "disc.0.size", when: createWithout, plan: refused, says: "size"},
		{path: "disc.0.size", when: change, from: 25600, to: 51200, plan: update, sent: "PUT disc size=51200", says: `is on, and this update does not restart it: disc "vda" grows`},
		{path: "disc.0.size", when: change, beside: off, from: 25600, to: 51200, plan: update, sent: "PUT disc size=51200"},
		{path: "disc.0.size", when: change, from: 51200, to: 25600, plan: refused, says: `Cannot shrink disc "vda"`},
		{path: "disc.0.size", when: remove, from: 25600, plan: refused, says: "size"},
		{path: "disc.0.size", when: drift, from: 25600, to: 25600, plan: update, says: `Disc "vda" of virtual machine "web1" was grown`, again: update},
		{path: "disc.0.size", when: drift, from: 99999, to: 99999, plan: update, sent: "PUT disc size=99999", says: `is on, and this update does not restart it: disc "vda" grows`},
		{path: "disc.0.size", when: adopt, from: 25600, to: 25600, plan: noop},
		{path: "disc.0.storage_grade", when: createWith, to: "ssd", plan: create, sent: "create discs=vda:25600:ssd"},
		{path: "disc.0.storage_grade", when: change, from: "sata", to: "ssd", plan: refused, says: `Cannot change the storage grade of disc "vda"`},
		{path: "disc.0.storage_grade", when: change, to: "sata", plan: noop}, // the service chose it
		{path: "disc.0.storage_grade", when: remove, from: "ssd", plan: noop},
		{path: "disc.0.storage_grade", when: drift, from: "sata", to: "sata", plan: noop},
		{path: "disc.0.storage_grade", when: drift, from: "sata", to: "archive", plan: update}, // recorded
		{path: "disc.0.storage_grade", when: drift, plan: noop},
		{path: "disc.0.storage_grade", when: adopt, from: "ssd", to: "ssd", plan: noop},
	}
}

// reimageRequests returns what a reimage of a machine that is on sends.
func reimageRequests(image string) string {
	return stop + "reimage " + image + "; PUT autoreboot_on=true"
}

const publicKey = "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIBDEcVOF9T6JTvtpHHEpzVeRKPicDToJM8d3QYI9jjrM"

func imageRows() []row {
	byKey := given{"reimage.distribution": "bookworm", "reimage.ssh_public_key": publicKey, "reimage.on_change": "reimage"}
	return []row{
		{path: "reimage", when: createWith, to: object{"distribution": "bookworm"}, plan: create, sent: "create distribution=bookworm", says: noLogin},
		{path: "reimage", when: createWith, to: object{}, plan: refused, says: "reimage"},
		// The machine was created without an image.
		{path: "reimage", when: change, to: object{"distribution": "bookworm"}, plan: refused, says: `error at reimage: Cannot install the image of virtual machine "web1" without a restart`},
		{path: "reimage", when: change, to: object{"distribution": "bookworm", "root_password": "test-only", "on_change": "reimage"}, plan: update, sent: reimageRequests(imaged), says: `The new block reimage installs the image of virtual machine "web1"`},
		{path: "reimage", when: change, beside: mayStop, to: object{"distribution": "bookworm"}, plan: update, sent: reimageRequests("distribution=bookworm root_password=*"), says: "will be erased | " + noLogin},
		{path: "reimage", when: change, beside: off, to: object{"distribution": "bookworm", "root_password": "test-only"}, plan: update, sent: "reimage " + imaged + "; signal powerdown", says: "will be erased"},
		{path: "reimage", when: remove, from: object{"distribution": "bookworm"}, plan: update},
		{path: "reimage", when: drift, from: object{"distribution": "bookworm"}, to: object{"distribution": "bookworm"}, plan: noop},
		{path: "reimage", when: adopt, from: object{"distribution": "bookworm"}, to: object{"distribution": "bookworm"}, plan: noop},
		{path: "reimage", when: adopt, from: object{"distribution": "bookworm"}, plan: update},
		{path: "reimage", when: adopt, to: object{"distribution": "bookworm"}, plan: update, says: recorded},

		{path: "reimage.distribution", when: createWith, beside: image, to: "noble", plan: create, sent: "create distribution=noble root_password=test-only"},
		{path: "reimage.distribution", when: createWith, beside: image, to: "no-such", plan: refused, says: `Invalid distribution "no-such"`},
		{path: "reimage.distribution", when: createWithout, beside: given{"reimage.on_change": "reimage"}, plan: refused, says: "reimage.distribution"},
		{path: "reimage.distribution", when: change, beside: image, from: "bookworm", to: "noble", plan: replace, sent: purge + "create distribution=noble root_password=test-only", says: replaced},
		{path: "reimage.distribution", when: change, beside: inPlace, from: "bookworm", to: "noble", plan: update, sent: reimageRequests("distribution=noble root_password=test-only"), says: bootErased},
		{path: "reimage.distribution", when: change, beside: with(inPlace, "deletion_protection", true), from: "bookworm", to: "noble", plan: refused, says: "Cannot reimage"},
		{path: "reimage.distribution", when: remove, beside: image, from: "bookworm", plan: refused, says: "reimage.distribution"},
		{path: "reimage.distribution", when: drift, beside: image, from: "bookworm", to: "bookworm", plan: noop}, // last_imaged_with shows it
		{path: "reimage.distribution", when: drift, beside: inPlace, from: "bookworm", to: "bookworm", plan: noop},
		{path: "reimage.distribution", when: adopt, from: "bookworm", to: "bookworm", plan: noop},
		{path: "reimage.distribution", when: adopt, beside: image, from: "bookworm", to: "noble", plan: update, says: recorded},

		{path: "reimage.root_password", when: createWith, beside: image, to: "other-one", plan: create, sent: "create distribution=bookworm root_password=other-one"},
		{path: "reimage.root_password", when: createWith, beside: image, to: "other-one\n", plan: refused, says: "use trimspace()"},
		{path: "reimage.root_password", when: createWithout, beside: image, plan: create, sent: "create distribution=bookworm", says: noLogin},
		{path: "reimage.root_password", when: change, beside: image, from: "test-only", to: "other-one", plan: noop}, // never compared
		{path: "reimage.root_password", when: change, beside: inPlace, from: "test-only", to: "other-one", plan: noop},
		{path: "reimage.root_password", when: remove, beside: image, from: "test-only", plan: noop},
		{path: "reimage.root_password", when: adopt, beside: image, from: "test-only", to: "test-only", plan: noop},

		{path: "reimage.ssh_public_key", when: createWith, beside: image, to: publicKey, plan: create, sent: "create " + imaged + " ssh_public_key=" + publicKey},
		{path: "reimage.ssh_public_key", when: createWith, beside: image, to: "ssh-new AAAA", plan: create, sent: "create " + imaged + " ssh_public_key=ssh-new AAAA", says: "A public key cannot be read"},
		{path: "reimage.ssh_public_key", when: createWith, beside: image, to: "# me@here", plan: refused, says: "Invalid public key"},
		{path: "reimage.ssh_public_key", when: createWithout, beside: image, plan: create, sent: "create " + imaged},
		{path: "reimage.ssh_public_key", when: change, beside: image, from: "ssh-ed25519 A", to: "ssh-ed25519 B", plan: update, says: newKey},
		{path: "reimage.ssh_public_key", when: change, beside: inPlace, from: publicKey, to: publicKey + " me@here", plan: noop}, // the same key
		{path: "reimage.ssh_public_key", when: remove, beside: image, from: "ssh-ed25519 A", plan: update, says: "The removed key stays until the next image"},
		{path: "reimage.ssh_public_key", when: adopt, beside: given{"reimage.distribution": "bookworm"}, from: "ssh-ed25519 A", to: "ssh-ed25519 A", plan: update, says: recorded},

		{path: "reimage.firstboot_script", when: createWith, beside: image, to: "#!a", plan: create, sent: "create distribution=bookworm firstboot_script=#!a root_password=test-only"},
		{path: "reimage.firstboot_script", when: createWith, beside: image, to: "#cloud-config", plan: create, sent: "create distribution=bookworm firstboot_script=#cloud-config root_password=test-only", says: "The service reads neither cloud-config nor a path"},
		{path: "reimage.firstboot_script", when: change, beside: image, from: "#!a", to: "#!b", plan: noop}, // never compared
		{path: "reimage.firstboot_script", when: remove, beside: image, from: "#!a", plan: noop},
		{path: "reimage.firstboot_script", when: adopt, beside: image, from: "#!a", to: "#!a", plan: noop},

		{path: "reimage.revision", when: createWith, beside: image, to: "1", plan: create, sent: "create " + imaged},
		{path: "reimage.revision", when: change, beside: image, from: "1", to: "2", plan: replace, sent: purge + "create " + imaged, says: replaced},
		{path: "reimage.revision", when: change, beside: inPlace, from: "1", to: "2", plan: update, sent: reimageRequests(imaged), says: bootErased},
		{path: "reimage.revision", when: change, beside: byKey, from: "1", to: "2", plan: update, sent: reimageRequests("distribution=bookworm root_password=* ssh_public_key=" + publicKey), says: bootErased},
		{path: "reimage.revision", when: change, beside: inPlace, to: "1", plan: update, says: recorded},
		{path: "reimage.revision", when: remove, beside: inPlace, from: "1", plan: update, says: recorded},
		{path: "reimage.revision", when: adopt, beside: image, from: "1", to: "1", plan: update, says: recorded},

		{path: "reimage.on_change", when: createWith, beside: image, to: "reimage", plan: create, sent: "create " + imaged},
		{path: "reimage.on_change", when: createWith, beside: image, to: "wipe", plan: refused, says: "reimage.on_change"},
		{path: "reimage.on_change", when: change, beside: image, from: "replace", to: "reimage", plan: update},
		{path: "reimage.on_change", when: remove, beside: image, from: "reimage", plan: update},
		{path: "reimage.on_change", when: adopt, beside: image, to: "reimage", plan: update},
	}
}

func ipsRows() []row {
	return []row{
		{path: "ips", when: createWith, beside: inPrivate, to: object{"ipv4": "192.0.2.10"}, plan: create, sent: "create in demo/private ipv4=192.0.2.10"},
		{path: "ips", when: createWithout, beside: inPrivate, plan: create, sent: "create in demo/private"},
		{path: "ips", when: change, beside: inPrivate, to: object{"ipv4": "192.0.2.2"}, plan: update}, // the machine has this address already
		{path: "ips", when: change, beside: inPrivate, to: object{"ipv4": "192.0.2.99"}, plan: replace, sent: purge + "create in demo/private ipv4=192.0.2.99", says: replaced},
		{path: "ips", when: remove, beside: inPrivate, from: object{"ipv4": "192.0.2.10"}, plan: update},
		{path: "ips", when: adopt, beside: inPrivate, from: object{"ipv4": "192.0.2.10"}, to: object{"ipv4": "192.0.2.10"}, plan: update},
		{path: "ips", when: adopt, beside: inPrivate, from: object{"ipv4": "192.0.2.10"}, plan: noop},
		{path: "ips.ipv4", when: createWith, beside: inPrivate, to: "192.0.2.10", plan: create, sent: "create in demo/private ipv4=192.0.2.10"},
		{path: "ips.ipv4", when: change, beside: inPrivate, from: "192.0.2.10", to: "192.0.2.99", plan: replace, sent: purge + "create in demo/private ipv4=192.0.2.99", says: replaced},
		{path: "ips.ipv4", when: remove, beside: addressed, from: "192.0.2.10", plan: update},
		{path: "ips.ipv4", when: drift, beside: inPrivate, from: "192.0.2.10", to: "192.0.2.10", plan: noop},
		{path: "ips.ipv4", when: adopt, beside: inPrivate, from: "192.0.2.10", to: "192.0.2.99", plan: refused, says: "Cannot replace"},
		{path: "ips.ipv4", when: adopt, beside: with(inPrivate, "zone_name", "york"), from: "192.0.2.10", to: "192.0.2.99", plan: replace, sent: purge + "create in demo/private ipv4=192.0.2.99 zone_name=york", says: replaced},
		{path: "ips.ipv6", when: createWith, beside: inPrivate, to: "2001:db8:1::A", plan: create, sent: "create in demo/private ipv6=2001:db8:1::A"},
		{path: "ips.ipv6", when: change, beside: inPrivate, from: "2001:db8:1::a", to: "2001:db8:1::b", plan: replace, sent: purge + "create in demo/private ipv6=2001:db8:1::b", says: replaced},
		{path: "ips.ipv6", when: change, beside: inPrivate, from: "2001:db8:1::a", to: "2001:0DB8:1:0::A", plan: noop}, // the same address
		{path: "ips.ipv6", when: remove, beside: addressed, from: "2001:db8:1::a", plan: update},
		{path: "ips.ipv6", when: drift, beside: inPrivate, from: "2001:db8:1::a", to: "2001:db8:1::a", plan: noop},
		{path: "ips.ipv6", when: adopt, beside: inPrivate, from: "2001:db8:1::a", to: "2001:DB8:1::A", plan: update},
	}
}

func timeoutRows() []row {
	return slices.Concat(
		inState("timeouts", nil, object{"create": "5m"}, object{"create": "6m"}),
		inState("timeouts.create", nil, "5m", "6m"),
		inState("timeouts.update", nil, "5m", "6m"),
		inState("timeouts.delete", nil, "5m", "6m"),
	)
}

// inState returns the rows of a setting that the service does not know: it is only written to the state.
func inState(path string, beside given, from, to any) []row {
	created := map[any]string{true: "create", false: "create autoreboot_on=false power_on=false"}[beside["power_on"] != false]
	return []row{
		{path: path, when: createWith, beside: beside, to: from, plan: create, sent: created},
		{path: path, when: change, beside: beside, from: from, to: to, plan: update},
		{path: path, when: remove, beside: beside, from: from, plan: update},
		{path: path, when: adopt, beside: beside, to: from, plan: update, says: recorded},
	}
}
