package vm_test

import "github.com/cloudserver/terraform-provider-cloudserver/internal/acctest"

// What rows are planned beside.
var (
	off       = given{"power_on": false}
	inPrivate = given{"group": "private"}
	image     = given{"reimage.distribution": "bookworm", "reimage.root_password": "test-only"}
	inPlace   = given{"reimage.distribution": "bookworm", "reimage.root_password": "test-only", "reimage.in_place": true}
	addressed = given{"group": "private", "ips.ipv4": "192.0.2.10", "ips.ipv6": "2001:db8:1::a"}
	writeOnly = given{
		"reimage.distribution":     "bookworm",
		"reimage.root_password_wo": "test-only", "reimage.root_password_wo_version": 1,
		"reimage.firstboot_script_wo": "#!test", "reimage.firstboot_script_wo_version": 1,
	}
	writeOnlyInPlace = with(writeOnly, "reimage.in_place", true)
)

const (
	noop    = acctest.ActionNoOp
	create  = acctest.ActionCreate
	update  = acctest.ActionUpdate
	replace = acctest.ActionReplace
	refused = acctest.ActionError

	imagedWithScript = "distribution=bookworm firstboot_script=#!test root_password=test-only"

	imaged     = "distribution=bookworm root_password=test-only"
	restarts   = "The update restarts virtual machine"
	lowered    = "waits for a power cycle"
	recorded   = "are recorded only"
	discsLost  = "All discs of virtual machine"
	bootErased = `The boot disc of virtual machine "web1" will be erased | ` + restarts
)

// matrix is what every attribute and block does on every occasion, in the order
// of the documentation. Columns: attribute, occasion, beside, from, to, plan,
// requests, message.
func matrix() []row {
	return []row{
		{"id", createWithout, nil, nil, nil, create, "create", ""},
		{"id", adopt, nil, nil, nil, noop, "", ""},

		{"account", createWith, nil, nil, "other", create, "create in other/default", ""},
		{"account", createWithout, nil, nil, nil, create, "create", ""}, // the provider's
		{"account", change, nil, "demo", "other", replace, purge + "create in other/default", discsLost},
		{"account", remove, nil, "other", nil, noop, "", ""},
		{"account", drift, nil, "demo", "demo", replace, purge + "create", discsLost},
		{"account", drift, nil, nil, nil, noop, "", ""},
		{"account", adopt, nil, nil, "demo", noop, "", ""},

		{"group", createWith, nil, nil, "private", create, "create in demo/private", ""},
		{"group", createWithout, nil, nil, nil, create, "create", ""}, // the provider's, or "default"
		{"group", change, nil, "default", "private", update, "PUT group_id=#", ""},
		{"group", remove, nil, "private", nil, noop, "", ""},
		{"group", drift, nil, "default", "default", update, "PUT group_id=#", ""},
		{"group", drift, nil, nil, nil, noop, "", ""},
		{"group", adopt, nil, nil, "default", noop, "", ""},

		{"name", createWith, nil, nil, "web1", create, "create", ""},
		{"name", createWithout, nil, nil, nil, refused, "", "name"},
		{"name", change, nil, "web1", "web2", update, "PUT name=web2", ""},
		{"name", remove, nil, "web1", nil, refused, "", "name"},
		{"name", drift, nil, "web1", "web1", update, "PUT name=web1", ""},
		{"name", adopt, nil, "web1", "web1", noop, "", ""},

		{"cores", createWith, nil, nil, 2, create, "create cores=2", ""},
		{"cores", createWithout, nil, nil, nil, create, "create", ""},
		{"cores", change, nil, 2, 4, update, stop + "PUT cores=4; " + start, restarts},
		{"cores", change, off, 2, 4, update, "PUT cores=4", ""},
		{"cores", change, nil, 2, 1, update, "PUT cores=1", lowered},
		{"cores", remove, nil, 2, nil, noop, "", ""},
		{"cores", drift, nil, 2, 2, update, "PUT cores=2", lowered},
		{"cores", drift, nil, nil, nil, noop, "", ""},
		{"cores", adopt, nil, 2, 2, noop, "", ""},

		{"memory", createWith, nil, nil, 2048, create, "create memory=2048", ""},
		{"memory", createWithout, nil, nil, nil, create, "create", ""},
		{"memory", change, nil, 2048, 4096, update, stop + "PUT memory=4096; " + start, restarts},
		{"memory", change, off, 2048, 4096, update, "PUT memory=4096", ""},
		{"memory", change, nil, 2048, 1024, update, "PUT memory=1024", lowered},
		{"memory", remove, nil, 2048, nil, noop, "", ""},
		{"memory", drift, nil, 16384, 16384, update, stop + "PUT memory=16384; " + start, restarts},
		{"memory", drift, nil, nil, nil, noop, "", ""},
		{"memory", adopt, nil, 2048, 2048, noop, "", ""},

		{"hardware_profile", createWith, nil, nil, "compatibility2013", create, "create hardware_profile=compatibility2013", ""},
		{"hardware_profile", createWith, nil, nil, "virtio2011", create, "create hardware_profile=virtio2011", ""}, // upgraded at boot
		{"hardware_profile", createWithout, nil, nil, nil, create, "create", ""},
		{"hardware_profile", change, nil, "virtio2013", "compatibility2013", update, stop + "PUT hardware_profile=compatibility2013; " + start, restarts},
		{"hardware_profile", change, off, "virtio2013", "compatibility2013", update, "PUT hardware_profile=compatibility2013", ""},
		{"hardware_profile", change, nil, "virtio2011", "virtio2013", update, "", ""}, // as the service has it
		{"hardware_profile", remove, nil, "compatibility2013", nil, noop, "", ""},
		{"hardware_profile", drift, nil, "virtio2013", "virtio2013", update, stop + "PUT hardware_profile=virtio2013; " + start, restarts},
		{"hardware_profile", drift, nil, nil, nil, noop, "", ""},
		{"hardware_profile", adopt, nil, "compatibility2013", "compatibility2013", noop, "", ""},
		{"effective_hardware_profile", createWithout, nil, nil, nil, create, "create", ""},
		{"effective_hardware_profile", drift, nil, nil, nil, noop, "", ""},
		{"effective_hardware_profile", adopt, nil, nil, nil, noop, "", ""},

		{"hardware_profile_locked", createWith, nil, nil, true, create, "create hardware_profile_locked=true", ""},
		{"hardware_profile_locked", createWithout, nil, nil, nil, create, "create", ""},
		{"hardware_profile_locked", change, nil, false, true, update, "PUT hardware_profile_locked=true", ""},
		{"hardware_profile_locked", remove, nil, true, nil, noop, "", ""},
		{"hardware_profile_locked", drift, nil, true, true, update, "PUT hardware_profile_locked=true", ""},
		{"hardware_profile_locked", drift, nil, nil, nil, noop, "", ""},
		{"hardware_profile_locked", adopt, nil, true, true, noop, "", ""},

		{"autoreboot_on", createWith, nil, nil, false, create, "create autoreboot_on=false", ""},
		{"autoreboot_on", createWithout, nil, nil, nil, create, "create", ""},
		{"autoreboot_on", change, nil, true, false, update, "PUT autoreboot_on=false", ""},
		{"autoreboot_on", remove, nil, false, nil, noop, "", ""},
		{"autoreboot_on", drift, nil, true, true, update, "PUT autoreboot_on=true", ""},
		{"autoreboot_on", drift, nil, nil, nil, noop, "", ""},
		{"autoreboot_on", adopt, nil, false, false, noop, "", ""},

		{"power_on", createWith, nil, nil, true, create, "create", ""},
		{"power_on", createWith, nil, nil, false, create, "create power_on=false", ""},
		{"power_on", createWithout, nil, nil, nil, create, "create", ""}, // on
		{"power_on", change, nil, true, false, update, stop + "PUT autoreboot_on=true", ""},
		{"power_on", change, nil, false, true, update, start + "; PUT autoreboot_on=false", ""},
		{"power_on", remove, nil, false, nil, noop, "", ""},
		{"power_on", drift, nil, true, true, update, start, ""},
		{"power_on", drift, nil, false, false, update, "signal powerdown", ""},
		{"power_on", drift, nil, nil, nil, noop, "", ""}, // left alone
		{"power_on", adopt, nil, false, false, noop, "", ""},
		{"power_on", adopt, nil, false, nil, noop, "", ""},

		{"keymap", createWith, nil, nil, "de", create, "create keymap=de", ""},
		{"keymap", createWithout, nil, nil, nil, create, "create", ""},
		{"keymap", change, nil, "de", "fr", update, "PUT keymap=fr", ""},
		{"keymap", remove, nil, "de", nil, noop, "", ""},
		{"keymap", drift, nil, "de", "de", update, "PUT keymap=de", ""},
		{"keymap", drift, nil, nil, nil, noop, "", ""},
		{"keymap", adopt, nil, "de", "de", noop, "", ""},

		{"cdrom_url", createWith, nil, nil, "https://a.example/a.iso", create, "create cdrom_url=https://a.example/a.iso", ""},
		{"cdrom_url", createWithout, nil, nil, nil, create, "create", ""},
		{"cdrom_url", change, nil, "https://a.example/a.iso", "https://b.example/b.iso", update, "PUT cdrom_url=https://b.example/b.iso", ""},
		{"cdrom_url", remove, nil, "https://a.example/a.iso", nil, update, "PUT cdrom_url=null", ""}, // ejected
		{"cdrom_url", drift, nil, "https://a.example/a.iso", "https://a.example/a.iso", update, "PUT cdrom_url=https://a.example/a.iso", ""},
		{"cdrom_url", drift, nil, nil, nil, update, "PUT cdrom_url=null", ""},
		{"cdrom_url", adopt, nil, "https://a.example/a.iso", "https://a.example/a.iso", noop, "", ""},
		{"cdrom_url", adopt, nil, "https://a.example/a.iso", nil, update, "PUT cdrom_url=null", ""},

		{"zone_name", createWith, nil, nil, "manchester", create, "create zone_name=manchester", ""},
		{"zone_name", createWithout, nil, nil, nil, create, "create", ""},
		{"zone_name", change, nil, "york", "manchester", replace, purge + "create zone_name=manchester", discsLost},
		{"zone_name", remove, nil, "manchester", nil, noop, "", ""},
		{"zone_name", drift, nil, "york", "york", replace, purge + "create zone_name=york", discsLost},
		{"zone_name", drift, nil, nil, nil, noop, "", ""},
		{"zone_name", adopt, nil, "manchester", "manchester", noop, "", ""},

		{"allow_stopping_for_update", createWith, nil, nil, false, create, "create", ""},
		{"allow_stopping_for_update", createWithout, nil, nil, nil, create, "create", ""},
		{"allow_stopping_for_update", change, nil, true, false, update, "", ""},
		{"allow_stopping_for_update", remove, nil, false, nil, update, "", ""},
		{"allow_stopping_for_update", adopt, nil, false, nil, noop, "", ""},
		{"shutdown_timeout", createWith, nil, nil, "30s", create, "create", ""},
		{"shutdown_timeout", createWithout, nil, nil, nil, create, "create", ""},
		{"shutdown_timeout", change, nil, "30s", "40s", update, "", ""},
		{"shutdown_timeout", change, nil, "90s", "1m30s", update, "", ""},
		{"shutdown_timeout", remove, nil, "30s", nil, update, "", ""},
		{"shutdown_timeout", adopt, nil, "30s", nil, noop, "", ""},
		{"deletion_protection", createWith, nil, nil, true, create, "create", ""},
		{"deletion_protection", createWithout, nil, nil, nil, create, "create", ""},
		{"deletion_protection", change, nil, false, true, update, "", ""},
		{"deletion_protection", remove, nil, true, nil, update, "", ""},
		{"deletion_protection", adopt, nil, true, nil, noop, "", ""},
		{"purge_on_destroy", createWith, nil, nil, false, create, "create", ""},
		{"purge_on_destroy", createWithout, nil, nil, nil, create, "create", ""},
		{"purge_on_destroy", change, nil, true, false, update, "", ""},
		{"purge_on_destroy", remove, nil, false, nil, update, "", ""},
		{"purge_on_destroy", adopt, nil, false, nil, noop, "", ""},

		{"group_id", createWithout, nil, nil, nil, create, "create", ""},
		{"group_id", drift, nil, nil, nil, noop, "", ""},
		{"group_id", adopt, nil, nil, nil, noop, "", ""},
		{"last_imaged_with", createWithout, nil, nil, nil, create, "create", ""},
		{"last_imaged_with", drift, nil, nil, nil, noop, "", ""},
		{"last_imaged_with", adopt, nil, nil, nil, noop, "", ""},
		{"hostname", createWithout, nil, nil, nil, create, "create", ""},
		{"hostname", drift, nil, nil, nil, update, "PUT name=web1", ""},
		{"hostname", adopt, nil, nil, nil, noop, "", ""},
		{"management_address", createWithout, nil, nil, nil, create, "create", ""},
		{"management_address", drift, nil, nil, nil, noop, "", ""},
		{"management_address", adopt, nil, nil, nil, noop, "", ""},
		{"head", createWithout, nil, nil, nil, create, "create", ""},
		{"head", drift, nil, nil, nil, noop, "", ""},
		{"head", adopt, nil, nil, nil, noop, "", ""},
		{"ipv4_address", createWithout, nil, nil, nil, create, "create", ""},
		{"ipv4_address", drift, nil, nil, nil, noop, "", ""},
		{"ipv4_address", adopt, nil, nil, nil, noop, "", ""},
		{"ipv6_address", createWithout, nil, nil, nil, create, "create", ""},
		{"ipv6_address", drift, nil, nil, nil, noop, "", ""},
		{"ipv6_address", adopt, nil, nil, nil, noop, "", ""},
		{"network_interfaces", createWithout, nil, nil, nil, create, "create", ""},
		{"network_interfaces", drift, nil, nil, nil, noop, "", ""},
		{"network_interfaces", adopt, nil, nil, nil, noop, "", ""},
		{"network_interfaces.0.label", drift, nil, nil, nil, noop, "", ""},
		{"network_interfaces.0.mac", drift, nil, nil, nil, noop, "", ""},
		{"network_interfaces.0.vlan_num", drift, nil, nil, nil, noop, "", ""},
		{"network_interfaces.0.ips", drift, nil, nil, nil, noop, "", ""},
		{"network_interfaces.0.extra_ips", drift, nil, nil, nil, noop, "", ""},

		{"disc", createWith, nil, nil, discs("vda:25600", "vdb:51200:ssd"), create, "create discs=vda:25600,vdb:51200:ssd", ""},
		{"disc", createWithout, nil, nil, nil, create, "create", ""},
		{"disc", change, nil, discs("vda:25600"), discs("vda:25600", "vdb:51200"), update, "POST disc label=vdb size=51200", "The guest sees it after the next power cycle"},
		{"disc", change, off, discs("vda:25600"), discs("vda:25600", "vdb:51200"), update, "POST disc label=vdb size=51200", ""},
		{"disc", remove, nil, discs("vda:25600", "vdb:51200"), discs("vda:25600"), update, "DELETE disc?purge=true", `Disc "vdb" of virtual machine "web1" will be purged`},
		{"disc", remove, nil, discs("vda:25600"), nil, refused, "", "Another disc would become the boot disc"},
		{"disc", drift, nil, discs("vda:25600"), discs("vda:25600"), update, "DELETE disc?purge=true", `Disc "vdz" of virtual machine "web1" will be purged`},
		{"disc", adopt, nil, discs("vda:25600", "vdb:51200"), discs("vda:25600", "vdb:51200"), noop, "", ""},
		{"disc", adopt, nil, discs("vda:25600", "vdb:51200"), discs("vda:25600"), update, "DELETE disc?purge=true", `Disc "vdb" of virtual machine "web1" will be purged`},

		{"disc.0.label", createWith, nil, nil, "boot", create, "create discs=boot:25600", ""},
		{"disc.0.label", createWithout, nil, nil, nil, refused, "", "label"},
		{"disc.0.label", change, nil, "vda", "boot", update, "PUT disc label=boot", ""},
		{"disc.0.label", remove, nil, "vda", nil, refused, "", "label"},
		{"disc.0.label", drift, nil, "vda", "vda", update, "PUT disc label=vda", ""},
		{"disc.0.label", adopt, nil, "vda", "vda", noop, "", ""},
		{"disc.0.size", createWith, nil, nil, 51200, create, "create discs=vda:51200", ""},
		{"disc.0.size", createWithout, nil, nil, nil, refused, "", "size"},
		{"disc.0.size", change, nil, 25600, 51200, update, "PUT disc size=51200", `Disc "vda" grows on a machine that is on`},
		{"disc.0.size", change, off, 25600, 51200, update, "PUT disc size=51200", ""},
		{"disc.0.size", change, nil, 51200, 25600, refused, "", "A disc cannot shrink"},
		{"disc.0.size", remove, nil, 25600, nil, refused, "", "size"},
		{"disc.0.size", drift, nil, 25600, 25600, refused, "", "A disc cannot shrink"},
		{"disc.0.size", drift, nil, 99999, 99999, update, "PUT disc size=99999", `Disc "vda" grows on a machine that is on`},
		{"disc.0.size", adopt, nil, 25600, 25600, noop, "", ""},
		{"disc.0.storage_grade", createWith, nil, nil, "ssd", create, "create discs=vda:25600:ssd", ""},
		{"disc.0.storage_grade", createWithout, nil, nil, nil, create, "create", ""},
		{"disc.0.storage_grade", change, nil, "sata", "ssd", replace, purge + "create discs=vda:25600:ssd", discsLost},
		{"disc.0.storage_grade", remove, nil, "ssd", nil, noop, "", ""},
		{"disc.0.storage_grade", drift, nil, "sata", "sata", replace, purge + "create discs=vda:25600:sata", discsLost},
		{"disc.0.storage_grade", drift, nil, nil, nil, noop, "", ""},
		{"disc.0.storage_grade", adopt, nil, "ssd", "ssd", noop, "", ""},
		{"disc.0.id", createWithout, nil, nil, nil, create, "create", ""},
		{"disc.0.id", adopt, nil, nil, nil, noop, "", ""},
		{"disc.0.storage_pool", createWithout, nil, nil, nil, create, "create", ""},
		{"disc.0.storage_pool", drift, nil, nil, nil, noop, "", ""},
		{"disc.0.storage_pool", adopt, nil, nil, nil, noop, "", ""},

		{"reimage", createWith, nil, nil, object{"distribution": "bookworm"}, create, "create distribution=bookworm", ""},
		{"reimage", createWith, nil, nil, object{}, refused, "", "reimage"},
		{"reimage", createWithout, nil, nil, nil, create, "create", ""},
		{"reimage", change, nil, nil, object{"distribution": "bookworm"}, update, "", recorded},
		{"reimage", remove, nil, object{"distribution": "bookworm"}, nil, update, "", ""},
		{"reimage", drift, nil, object{"distribution": "bookworm"}, object{"distribution": "bookworm"}, replace, purge + "create distribution=bookworm", discsLost},
		{"reimage", adopt, nil, object{"distribution": "bookworm"}, object{"distribution": "bookworm"}, noop, "", ""},
		{"reimage", adopt, nil, object{"distribution": "bookworm"}, nil, update, "", ""},

		{"reimage.distribution", createWith, nil, nil, "noble", create, "create distribution=noble", ""},
		{"reimage.distribution", createWith, nil, nil, "no-such", refused, "", `does not offer the distribution "no-such"`},
		{"reimage.distribution", createWithout, given{"reimage.in_place": true}, nil, nil, refused, "", "reimage.distribution"},
		{"reimage.distribution", change, image, "bookworm", "noble", replace, purge + "create distribution=noble root_password=test-only", discsLost},
		{"reimage.distribution", change, inPlace, "bookworm", "noble", update, stop + "reimage distribution=noble root_password=test-only; PUT autoreboot_on=true", bootErased},
		{"reimage.distribution", remove, image, "bookworm", nil, refused, "", "reimage.distribution"},
		{"reimage.distribution", drift, image, "bookworm", "bookworm", replace, purge + "create " + imaged, discsLost},
		{"reimage.distribution", drift, inPlace, "bookworm", "bookworm", update, stop + "reimage " + imaged + "; PUT autoreboot_on=true", bootErased},
		{"reimage.distribution", adopt, nil, "bookworm", "bookworm", noop, "", ""},
		{"reimage.distribution", adopt, nil, "bookworm", "noble", replace, purge + "create distribution=noble", discsLost},

		{"reimage.root_password", createWith, image, nil, "other-one", create, "create distribution=bookworm root_password=other-one", ""},
		{"reimage.root_password", createWithout, image, nil, nil, create, "create distribution=bookworm", ""},
		{"reimage.root_password", change, image, "test-only", "other-one", replace, purge + "create distribution=bookworm root_password=other-one", discsLost},
		{"reimage.root_password", change, inPlace, "test-only", "other-one", update, stop + "reimage distribution=bookworm root_password=other-one; PUT autoreboot_on=true", bootErased},
		{"reimage.root_password", remove, image, "test-only", nil, replace, purge + "create distribution=bookworm", discsLost},
		{"reimage.root_password", remove, inPlace, "test-only", nil, refused, "", "in place needs a root password"},
		{"reimage.root_password", adopt, image, "test-only", "test-only", update, "", "configured for root_password is only written to the state"},

		{"reimage.root_password_wo", createWith, writeOnly, nil, "test-only", create, "create " + imagedWithScript, ""},
		{"reimage.root_password_wo", createWithout, image, nil, nil, create, "create " + imaged, ""},
		{"reimage.root_password_wo", change, writeOnly, "test-only", "other-one", noop, "", ""}, // its version tells
		{"reimage.root_password_wo", remove, writeOnly, "test-only", nil, refused, "", "root_password_wo"},
		{"reimage.root_password_wo", adopt, writeOnly, "test-only", "test-only", update, "", recorded},

		{"reimage.root_password_wo_version", createWith, writeOnly, nil, 1, create, "create " + imagedWithScript, ""},
		{"reimage.root_password_wo_version", createWithout, writeOnly, nil, nil, refused, "", "root_password_wo_version"},
		{"reimage.root_password_wo_version", change, writeOnly, 1, 2, replace, purge + "create " + imagedWithScript, discsLost},
		{"reimage.root_password_wo_version", change, writeOnlyInPlace, 1, 2, update, stop + "reimage " + imagedWithScript + "; PUT autoreboot_on=true", bootErased},
		{"reimage.root_password_wo_version", remove, writeOnly, 1, nil, refused, "", "root_password_wo_version"},
		{"reimage.root_password_wo_version", adopt, writeOnly, 1, 1, update, "", "root_password_wo_version"},

		{"reimage.ssh_public_key", createWith, image, nil, "ssh-ed25519 A", create, "create " + imaged + " ssh_public_key=ssh-ed25519 A", ""},
		{"reimage.ssh_public_key", createWithout, image, nil, nil, create, "create " + imaged, ""},
		{"reimage.ssh_public_key", change, image, "ssh-ed25519 A", "ssh-ed25519 B", replace, purge + "create " + imaged + " ssh_public_key=ssh-ed25519 B", discsLost},
		{"reimage.ssh_public_key", change, inPlace, "ssh-ed25519 A", "ssh-ed25519 B", update, stop + "reimage " + imaged + " ssh_public_key=ssh-ed25519 B; PUT autoreboot_on=true", bootErased},
		{"reimage.ssh_public_key", remove, image, "ssh-ed25519 A", nil, replace, purge + "create " + imaged, discsLost},
		{"reimage.ssh_public_key", adopt, given{"reimage.distribution": "bookworm"}, "ssh-ed25519 A", "ssh-ed25519 A", update, "", "configured for ssh_public_key is only written to the state"},

		{"reimage.firstboot_script", createWith, image, nil, "#!a", create, "create distribution=bookworm firstboot_script=#!a root_password=test-only", ""},
		{"reimage.firstboot_script", createWithout, image, nil, nil, create, "create " + imaged, ""},
		{"reimage.firstboot_script", change, image, "#!a", "#!b", replace, purge + "create distribution=bookworm firstboot_script=#!b root_password=test-only", discsLost},
		{"reimage.firstboot_script", change, inPlace, "#!a", "#!b", update, stop + "reimage distribution=bookworm firstboot_script=#!b root_password=test-only; PUT autoreboot_on=true", bootErased},
		{"reimage.firstboot_script", remove, image, "#!a", nil, replace, purge + "create " + imaged, discsLost},
		{"reimage.firstboot_script", adopt, given{"reimage.distribution": "bookworm"}, "#!a", "#!a", update, "", "configured for firstboot_script is only written to the state"},

		{"reimage.firstboot_script_wo", createWith, writeOnly, nil, "#!test", create, "create " + imagedWithScript, ""},
		{"reimage.firstboot_script_wo", createWithout, image, nil, nil, create, "create " + imaged, ""},
		{"reimage.firstboot_script_wo", change, writeOnly, "#!test", "#!other", noop, "", ""}, // its version tells
		{"reimage.firstboot_script_wo", remove, writeOnly, "#!test", nil, refused, "", "firstboot_script_wo"},
		{"reimage.firstboot_script_wo", adopt, writeOnly, "#!test", "#!test", update, "", recorded},

		{"reimage.firstboot_script_wo_version", createWith, writeOnly, nil, 1, create, "create " + imagedWithScript, ""},
		{"reimage.firstboot_script_wo_version", createWithout, writeOnly, nil, nil, refused, "", "firstboot_script_wo_version"},
		{"reimage.firstboot_script_wo_version", change, writeOnly, 1, 2, replace, purge + "create " + imagedWithScript, discsLost},
		{"reimage.firstboot_script_wo_version", change, writeOnlyInPlace, 1, 2, update, stop + "reimage " + imagedWithScript + "; PUT autoreboot_on=true", bootErased},
		{"reimage.firstboot_script_wo_version", remove, writeOnly, 1, nil, refused, "", "firstboot_script_wo_version"},
		{"reimage.firstboot_script_wo_version", adopt, writeOnly, 1, 1, update, "", "firstboot_script_wo_version"},

		{"reimage.in_place", createWith, image, nil, true, create, "create " + imaged, ""},
		{"reimage.in_place", createWithout, image, nil, nil, create, "create " + imaged, ""},
		{"reimage.in_place", change, image, false, true, update, "", ""},
		{"reimage.in_place", remove, image, true, nil, update, "", ""},
		{"reimage.in_place", adopt, given{"reimage.distribution": "bookworm"}, nil, true, update, "", ""},

		{"ips", createWith, inPrivate, nil, object{"ipv4": "192.0.2.10"}, create, "create in demo/private ipv4=192.0.2.10", ""},
		{"ips", createWithout, inPrivate, nil, nil, create, "create in demo/private", ""},
		{"ips", change, inPrivate, nil, object{"ipv4": "192.0.2.2"}, update, "", ""}, // its own: adopted
		{"ips", change, inPrivate, nil, object{"ipv4": "192.0.2.99"}, replace, purge + "create in demo/private ipv4=192.0.2.99", discsLost},
		{"ips", remove, inPrivate, object{"ipv4": "192.0.2.10"}, nil, update, "", ""},
		{"ips", adopt, inPrivate, object{"ipv4": "192.0.2.10"}, object{"ipv4": "192.0.2.10"}, update, "", ""},
		{"ips", adopt, inPrivate, object{"ipv4": "192.0.2.10"}, nil, noop, "", ""},
		{"ips.ipv4", createWith, inPrivate, nil, "192.0.2.10", create, "create in demo/private ipv4=192.0.2.10", ""},
		{"ips.ipv4", createWithout, inPrivate, nil, nil, create, "create in demo/private", ""},
		{"ips.ipv4", change, inPrivate, "192.0.2.10", "192.0.2.99", replace, purge + "create in demo/private ipv4=192.0.2.99", discsLost},
		{"ips.ipv4", remove, addressed, "192.0.2.10", nil, update, "", ""},
		{"ips.ipv4", adopt, inPrivate, "192.0.2.10", "192.0.2.99", replace, purge + "create in demo/private ipv4=192.0.2.99", discsLost},
		{"ips.ipv6", createWith, inPrivate, nil, "2001:db8:1::A", create, "create in demo/private ipv6=2001:db8:1::A", ""},
		{"ips.ipv6", createWithout, inPrivate, nil, nil, create, "create in demo/private", ""},
		{"ips.ipv6", change, inPrivate, "2001:db8:1::a", "2001:db8:1::b", replace, purge + "create in demo/private ipv6=2001:db8:1::b", discsLost},
		{"ips.ipv6", change, inPrivate, "2001:db8:1::a", "2001:0DB8:1:0::A", noop, "", ""}, // the same address
		{"ips.ipv6", remove, addressed, "2001:db8:1::a", nil, update, "", ""},
		{"ips.ipv6", adopt, inPrivate, "2001:db8:1::a", "2001:DB8:1::A", update, "", ""},

		{"timeouts", createWith, nil, nil, object{"create": "5m"}, create, "create", ""},
		{"timeouts", createWithout, nil, nil, nil, create, "create", ""},
		{"timeouts", change, nil, nil, object{"create": "5m"}, update, "", ""},
		{"timeouts", remove, nil, object{"create": "5m"}, nil, update, "", ""},
		{"timeouts", adopt, nil, nil, object{"create": "5m"}, update, "", recorded},
		{"timeouts.create", createWith, nil, nil, "5m", create, "create", ""},
		{"timeouts.create", createWithout, nil, nil, nil, create, "create", ""},
		{"timeouts.create", change, nil, "5m", "6m", update, "", ""},
		{"timeouts.create", remove, nil, "5m", nil, update, "", ""},
		{"timeouts.create", adopt, nil, nil, "5m", update, "", recorded},
		{"timeouts.update", createWith, nil, nil, "5m", create, "create", ""},
		{"timeouts.update", createWithout, nil, nil, nil, create, "create", ""},
		{"timeouts.update", change, nil, "5m", "6m", update, "", ""},
		{"timeouts.update", remove, nil, "5m", nil, update, "", ""},
		{"timeouts.update", adopt, nil, nil, "5m", update, "", recorded},
		{"timeouts.delete", createWith, nil, nil, "5m", create, "create", ""},
		{"timeouts.delete", createWithout, nil, nil, nil, create, "create", ""},
		{"timeouts.delete", change, nil, "5m", "6m", update, "", ""},
		{"timeouts.delete", remove, nil, "5m", nil, update, "", ""},
		{"timeouts.delete", adopt, nil, nil, "5m", update, "", recorded},
	}
}
