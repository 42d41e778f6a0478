package vm_test

import "slices"

func discRows() []row {
	return []row{
		{"disc", createWith, nil, nil, discs("vda:25600", "vdb:51200:ssd"), create, "create discs=vda:25600,vdb:51200:ssd", ""},
		{"disc", change, nil, discs("vda:25600"), discs("vda:25600", "vdb:51200"), update, "POST disc label=vdb size=51200", "The guest sees it after the next power cycle"},
		{"disc", change, off, discs("vda:25600"), discs("vda:25600", "vdb:51200"), update, "POST disc label=vdb size=51200", ""},
		{"disc", remove, nil, discs("vda:25600", "vdb:51200"), discs("vda:25600"), update, "DELETE disc?purge=true", `Disc "vdb" of virtual machine "web1" will be purged`},
		{"disc", remove, protected, discs("vda:25600", "vdb:51200"), discs("vda:25600"), refused, "", `Cannot purge disc "vdb"`},
		{"disc", remove, nil, discs("vda:25600"), nil, refused, "", "Cannot change the boot disc"},
		{"disc", drift, off, discs("vda:25600", "vdb:51200"), discs("vda:25600", "vdb:51200"), update, "POST disc label=vdb size=51200", ""}, // lost
		{"disc", adopt, nil, discs("vda:25600", "vdb:51200"), discs("vda:25600", "vdb:51200"), noop, "", ""},
		{"disc", adopt, nil, discs("vda:25600", "vdb:51200"), discs("vda:25600"), update, "", `Disc "vdb" of virtual machine "web1" is left alone`},
		{"disc", adopt, nil, discs("vda:25600", "vdb:51200"), discs("vdb:51200"), refused, "", "The imported machine has discs that the configuration lacks"},

		{"disc.0.label", createWith, nil, nil, "boot", create, "create discs=boot:25600", ""},
		{"disc.0.label", createWith, nil, nil, "1006", refused, "", "digits"},
		{"disc.0.label", createWithout, nil, nil, nil, refused, "", "label"},
		{"disc.0.label", change, nil, "vda", "boot", update, "PUT disc label=boot", ""},
		{"disc.0.label", change, nil, "vda", "1006", refused, "", "digits"},
		{"disc.0.label", remove, nil, "vda", nil, refused, "", "label"},
		{"disc.0.label", drift, nil, "vda", "vda", noop, "", ""},
		{"disc.0.label", adopt, nil, "vda", "vda", noop, "", ""},
		{"disc.0.size", createWith, nil, nil, 51200, create, "create discs=vda:51200", ""},
		{"disc.0.size", createWithout, nil, nil, nil, refused, "", "size"},
		{"disc.0.size", change, nil, 25600, 51200, update, "PUT disc size=51200", `Disc "vda" grows on a machine that is on`},
		{"disc.0.size", change, off, 25600, 51200, update, "PUT disc size=51200", ""},
		{"disc.0.size", change, nil, 51200, 25600, refused, "", `Cannot shrink disc "vda"`},
		{"disc.0.size", remove, nil, 25600, nil, refused, "", "size"},
		{"disc.0.size", drift, nil, 25600, 25600, refused, "", `Cannot shrink disc "vda"`},
		{"disc.0.size", drift, nil, 99999, 99999, update, "PUT disc size=99999", `Disc "vda" grows on a machine that is on`},
		{"disc.0.size", adopt, nil, 25600, 25600, noop, "", ""},
		{"disc.0.storage_grade", createWith, nil, nil, "ssd", create, "create discs=vda:25600:ssd", ""},
		{"disc.0.storage_grade", change, nil, "sata", "ssd", refused, "", `Cannot change the storage grade of disc "vda"`},
		{"disc.0.storage_grade", change, nil, nil, "sata", noop, "", ""}, // what the service chose
		{"disc.0.storage_grade", remove, nil, "ssd", nil, noop, "", ""},
		{"disc.0.storage_grade", drift, nil, "sata", "sata", noop, "", ""},
		{"disc.0.storage_grade", drift, nil, "sata", "archive", update, "", ""}, // recorded
		{"disc.0.storage_grade", drift, nil, nil, nil, noop, "", ""},
		{"disc.0.storage_grade", adopt, nil, "ssd", "ssd", noop, "", ""},
	}
}

// installs is what a reimage of a machine that is on sends.
func installs(image string) string { return stop + "reimage " + image + "; PUT autoreboot_on=true" }

func imageRows() []row {
	byKey := given{"reimage.distribution": "bookworm", "reimage.ssh_public_key": "ssh-ed25519 A", "reimage.on_change": "reimage"}
	return []row{
		{"reimage", createWith, nil, nil, object{"distribution": "bookworm"}, create, "create distribution=bookworm", noLogin},
		{"reimage", createWith, nil, nil, object{}, refused, "", "reimage"},
		// Of a machine that was created without an image.
		{"reimage", change, nil, nil, object{"distribution": "bookworm", "root_password": "test-only"}, update, installs(imaged), "will be erased"},
		{"reimage", change, nil, nil, object{"distribution": "bookworm"}, update, installs("distribution=bookworm root_password=*"), "will be erased | " + noLogin},
		{"reimage", remove, nil, object{"distribution": "bookworm"}, nil, update, "", ""},
		{"reimage", drift, nil, object{"distribution": "bookworm"}, object{"distribution": "bookworm"}, replace, purge + "create distribution=bookworm", replaced + " | " + noLogin},
		{"reimage", adopt, nil, object{"distribution": "bookworm"}, object{"distribution": "bookworm"}, noop, "", ""},
		{"reimage", adopt, nil, object{"distribution": "bookworm"}, nil, update, "", ""},
		{"reimage", adopt, nil, nil, object{"distribution": "bookworm"}, update, "", recorded},

		{"reimage.distribution", createWith, image, nil, "noble", create, "create distribution=noble root_password=test-only", ""},
		{"reimage.distribution", createWith, image, nil, "no-such", refused, "", `does not offer the distribution "no-such"`},
		{"reimage.distribution", createWithout, given{"reimage.on_change": "reimage"}, nil, nil, refused, "", "reimage.distribution"},
		{"reimage.distribution", change, image, "bookworm", "noble", replace, purge + "create distribution=noble root_password=test-only", replaced},
		{"reimage.distribution", change, inPlace, "bookworm", "noble", update, installs("distribution=noble root_password=test-only"), bootErased},
		{"reimage.distribution", change, with(inPlace, "deletion_protection", true), "bookworm", "noble", refused, "", "Cannot reimage"},
		{"reimage.distribution", remove, image, "bookworm", nil, refused, "", "reimage.distribution"},
		{"reimage.distribution", drift, image, "bookworm", "bookworm", replace, purge + "create " + imaged, replaced},
		{"reimage.distribution", drift, inPlace, "bookworm", "bookworm", update, installs(imaged), bootErased},
		{"reimage.distribution", adopt, nil, "bookworm", "bookworm", noop, "", ""},
		{"reimage.distribution", adopt, image, "bookworm", "noble", refused, "", "where it is"}, // in which zone?
		{"reimage.distribution", adopt, with(image, "zone_name", "york"), "bookworm", "noble", replace, purge + "create distribution=noble root_password=test-only zone_name=york", replaced},

		{"reimage.root_password", createWith, image, nil, "other-one", create, "create distribution=bookworm root_password=other-one", ""},
		{"reimage.root_password", createWithout, image, nil, nil, create, "create distribution=bookworm", noLogin},
		{"reimage.root_password", change, image, "test-only", "other-one", noop, "", ""}, // never compared
		{"reimage.root_password", change, inPlace, "test-only", "other-one", noop, "", ""},
		{"reimage.root_password", remove, image, "test-only", nil, noop, "", ""},
		{"reimage.root_password", adopt, image, "test-only", "test-only", noop, "", ""},

		{"reimage.ssh_public_key", createWith, image, nil, "ssh-ed25519 A", create, "create " + imaged + " ssh_public_key=ssh-ed25519 A", ""},
		{"reimage.ssh_public_key", createWith, image, nil, "# me@here", refused, "", "Invalid public key"},
		{"reimage.ssh_public_key", createWithout, image, nil, nil, create, "create " + imaged, ""},
		{"reimage.ssh_public_key", change, image, "ssh-ed25519 A", "ssh-ed25519 B", update, "", newKey},
		{"reimage.ssh_public_key", change, inPlace, "ssh-ed25519 A", "ssh-ed25519 B", update, "", newKey},
		{"reimage.ssh_public_key", remove, image, "ssh-ed25519 A", nil, update, "", newKey},
		{"reimage.ssh_public_key", adopt, given{"reimage.distribution": "bookworm"}, "ssh-ed25519 A", "ssh-ed25519 A", update, "", recorded},

		{"reimage.firstboot_script", createWith, image, nil, "#!a", create, "create distribution=bookworm firstboot_script=#!a root_password=test-only", ""},
		{"reimage.firstboot_script", createWith, image, nil, "#cloud-config", create, "create distribution=bookworm firstboot_script=#cloud-config root_password=test-only", "It reads neither cloud-config nor a path"},
		{"reimage.firstboot_script", change, image, "#!a", "#!b", noop, "", ""}, // never compared
		{"reimage.firstboot_script", remove, image, "#!a", nil, noop, "", ""},
		{"reimage.firstboot_script", adopt, image, "#!a", "#!a", noop, "", ""},

		{"reimage.revision", createWith, image, nil, "1", create, "create " + imaged, ""},
		{"reimage.revision", change, image, "1", "2", replace, purge + "create " + imaged, replaced},
		{"reimage.revision", change, inPlace, "1", "2", update, installs(imaged), bootErased},
		{"reimage.revision", change, byKey, "1", "2", update, installs("distribution=bookworm root_password=* ssh_public_key=ssh-ed25519 A"), bootErased},
		{"reimage.revision", change, inPlace, nil, "1", update, "", recorded},
		{"reimage.revision", remove, inPlace, "1", nil, update, "", recorded},
		{"reimage.revision", adopt, image, "1", "1", update, "", recorded},

		{"reimage.on_change", createWith, image, nil, "reimage", create, "create " + imaged, ""},
		{"reimage.on_change", createWith, image, nil, "wipe", refused, "", "reimage.on_change"},
		{"reimage.on_change", change, image, "replace", "reimage", update, "", ""},
		{"reimage.on_change", remove, image, "reimage", nil, update, "", ""},
		{"reimage.on_change", adopt, image, nil, "reimage", update, "", ""},
	}
}

func ipsRows() []row {
	return []row{
		{"ips", createWith, inPrivate, nil, object{"ipv4": "192.0.2.10"}, create, "create in demo/private ipv4=192.0.2.10", ""},
		{"ips", createWithout, inPrivate, nil, nil, create, "create in demo/private", ""},
		{"ips", change, inPrivate, nil, object{"ipv4": "192.0.2.2"}, update, "", ""}, // its own: adopted
		{"ips", change, inPrivate, nil, object{"ipv4": "192.0.2.99"}, replace, purge + "create in demo/private ipv4=192.0.2.99", replaced},
		{"ips", remove, inPrivate, object{"ipv4": "192.0.2.10"}, nil, update, "", ""},
		{"ips", adopt, inPrivate, object{"ipv4": "192.0.2.10"}, object{"ipv4": "192.0.2.10"}, update, "", ""},
		{"ips", adopt, inPrivate, object{"ipv4": "192.0.2.10"}, nil, noop, "", ""},
		{"ips.ipv4", createWith, inPrivate, nil, "192.0.2.10", create, "create in demo/private ipv4=192.0.2.10", ""},
		{"ips.ipv4", change, inPrivate, "192.0.2.10", "192.0.2.99", replace, purge + "create in demo/private ipv4=192.0.2.99", replaced},
		{"ips.ipv4", remove, addressed, "192.0.2.10", nil, update, "", ""},
		{"ips.ipv4", adopt, inPrivate, "192.0.2.10", "192.0.2.99", refused, "", "Cannot replace"},
		{"ips.ipv4", adopt, with(inPrivate, "zone_name", "york"), "192.0.2.10", "192.0.2.99", replace, purge + "create in demo/private ipv4=192.0.2.99 zone_name=york", replaced},
		{"ips.ipv6", createWith, inPrivate, nil, "2001:db8:1::A", create, "create in demo/private ipv6=2001:db8:1::A", ""},
		{"ips.ipv6", change, inPrivate, "2001:db8:1::a", "2001:db8:1::b", replace, purge + "create in demo/private ipv6=2001:db8:1::b", replaced},
		{"ips.ipv6", change, inPrivate, "2001:db8:1::a", "2001:0DB8:1:0::A", noop, "", ""}, // the same address
		{"ips.ipv6", remove, addressed, "2001:db8:1::a", nil, update, "", ""},
		{"ips.ipv6", adopt, inPrivate, "2001:db8:1::a", "2001:DB8:1::A", update, "", ""},
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

// inState are the rows of a setting that the service does not know: it is written to
// the state, and nothing is sent.
func inState(path string, beside given, from, to any) []row {
	created := map[any]string{true: "create", false: "create autoreboot_on=false power_on=false"}[beside["power_on"] != false]
	return []row{
		{path, createWith, beside, nil, from, create, created, ""},
		{path, change, beside, from, to, update, "", ""},
		{path, remove, beside, from, nil, update, "", ""},
		{path, adopt, beside, nil, from, update, "", recorded},
	}
}
