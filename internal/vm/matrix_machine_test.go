// SPDX-License-Identifier: MPL-2.0

package vm_test

import "slices"

func machineRows() []row {
	return []row{
		{path: "cores", when: createWith, to: 2, plan: create, sent: "create cores=2"},
		{path: "cores", when: change, beside: mayStop, from: 2, to: 4, plan: update, sent: stop + "PUT cores=4; " + start, says: restarts},
		{path: "cores", when: change, from: 2, to: 4, plan: refused, says: "error at cores: Cannot change cores of virtual machine"},
		{path: "cores", when: change, beside: off, from: 2, to: 4, plan: update, sent: "PUT cores=4"},
		{path: "cores", when: change, from: 2, to: 1, plan: update, sent: "PUT cores=1", says: lowered},
		{path: "cores", when: remove, from: 2, plan: noop},
		{path: "cores", when: drift, from: 2, to: 2, plan: update, sent: "PUT cores=2", says: lowered},
		{path: "cores", when: drift, plan: noop},
		{path: "cores", when: adopt, from: 2, to: 2, plan: noop},

		{path: "memory", when: createWith, to: 2048, plan: create, sent: "create memory=2048"},
		{path: "memory", when: change, beside: mayStop, from: 2048, to: 4096, plan: update, sent: stop + "PUT memory=4096; " + start, says: restarts},
		{path: "memory", when: change, from: 2048, to: 4096, plan: refused, says: "error at memory: Cannot change memory of virtual machine"},
		{path: "memory", when: change, beside: off, from: 2048, to: 4096, plan: update, sent: "PUT memory=4096"},
		{path: "memory", when: change, from: 2048, to: 1024, plan: update, sent: "PUT memory=1024", says: lowered},
		{path: "memory", when: remove, from: 2048, plan: noop},
		{path: "memory", when: drift, beside: mayStop, from: 16384, to: 16384, plan: update, sent: stop + "PUT memory=16384; " + start, says: restarts},
		{path: "memory", when: drift, plan: noop},
		{path: "memory", when: adopt, from: 2048, to: 2048, plan: noop},

		{path: "hardware_profile", when: createWith, to: "compatibility2013", plan: create, sent: "create hardware_profile=compatibility2013"},
		{path: "hardware_profile", when: createWith, to: "virtio2011", plan: create, sent: "create hardware_profile=virtio2011"}, // upgraded at boot
		{path: "hardware_profile", when: change, from: "virtio2013", to: "compatibility2013", plan: refused, says: "allow_stopping_for_update = true"},
		{path: "hardware_profile", when: change, beside: mayStop, from: "virtio2013", to: "compatibility2013", plan: update, sent: stop + "PUT hardware_profile=compatibility2013; " + start, says: restarts},
		{path: "hardware_profile", when: change, beside: off, from: "virtio2013", to: "compatibility2013", plan: update, sent: "PUT hardware_profile=compatibility2013"},
		{path: "hardware_profile", when: change, from: "virtio2011", to: "virtio2013", plan: update},                           // the service already upgraded it
		{path: "hardware_profile", when: change, from: "virtio2013", to: "virtio2011", plan: update, says: "is only recorded"}, // the service would upgrade it again
		{path: "hardware_profile", when: remove, from: "compatibility2013", plan: noop},
		{path: "hardware_profile", when: drift, beside: mayStop, from: "virtio2013", to: "virtio2013", plan: update, sent: stop + "PUT hardware_profile=virtio2013; " + start, says: restarts},
		{path: "hardware_profile", when: drift, plan: noop},
		{path: "hardware_profile", when: adopt, from: "compatibility2013", to: "compatibility2013", plan: noop},
		{path: "effective_hardware_profile", when: drift, plan: noop},

		{path: "hardware_profile_locked", when: createWith, to: true, plan: create, sent: "create hardware_profile_locked=true"},
		{path: "hardware_profile_locked", when: change, from: false, to: true, plan: update, sent: "PUT hardware_profile_locked=true"},
		{path: "hardware_profile_locked", when: remove, from: true, plan: noop},
		{path: "hardware_profile_locked", when: drift, from: true, to: true, plan: update, sent: "PUT hardware_profile_locked=true"},
		{path: "hardware_profile_locked", when: drift, plan: noop},
		{path: "hardware_profile_locked", when: adopt, from: true, to: true, plan: noop},

		{path: "autoreboot_on", when: createWith, to: false, plan: create, sent: "create autoreboot_on=false"},
		{path: "autoreboot_on", when: change, from: true, to: false, plan: update, sent: "PUT autoreboot_on=false"},
		{path: "autoreboot_on", when: change, beside: off, from: false, to: true, plan: refused, says: "Conflicting power settings"},
		{path: "autoreboot_on", when: remove, from: false, plan: noop},
		{path: "autoreboot_on", when: drift, from: true, to: true, plan: update, sent: "PUT autoreboot_on=true"},
		{path: "autoreboot_on", when: drift, plan: noop},
		{path: "autoreboot_on", when: adopt, from: false, to: false, plan: noop},

		{path: "power_on", when: createWith, to: true, plan: create, sent: "create"},
		{path: "power_on", when: createWith, to: false, plan: create, sent: "create autoreboot_on=false power_on=false"},
		{path: "power_on", when: change, from: true, to: false, plan: update, sent: "PUT autoreboot_on=false; signal powerdown"},
		{path: "power_on", when: change, from: false, to: true, plan: update, sent: start},
		{path: "power_on", when: change, beside: given{"autoreboot_on": false}, from: false, to: true, plan: update, sent: start + "; PUT autoreboot_on=false"},
		{path: "power_on", when: change, beside: given{"autoreboot_on": true}, from: true, to: false, plan: refused, says: "Conflicting power settings"},
		{path: "power_on", when: remove, from: false, plan: noop},
		{path: "power_on", when: drift, from: true, to: true, plan: update, sent: start},
		{path: "power_on", when: drift, from: false, to: false, plan: update, sent: "signal powerdown"},
		{path: "power_on", when: drift, plan: noop}, // left alone
		{path: "power_on", when: adopt, from: false, to: false, plan: noop},
		{path: "power_on", when: adopt, from: false, plan: noop},

		{path: "keymap", when: createWith, to: "de", plan: create, sent: "create keymap=de"},
		{path: "keymap", when: change, from: "de", to: "fr", plan: update, sent: "PUT keymap=fr"},
		{path: "keymap", when: remove, from: "de", plan: noop},
		{path: "keymap", when: drift, from: "de", to: "de", plan: update, sent: "PUT keymap=de"},
		{path: "keymap", when: drift, plan: noop},
		{path: "keymap", when: adopt, from: "de", to: "de", plan: noop},

		{path: "cdrom_url", when: createWith, to: "https://a.example/a.iso", plan: create, sent: "create cdrom_url=https://a.example/a.iso"},
		{path: "cdrom_url", when: change, from: "https://a.example/a.iso", to: "https://b.example/b.iso", plan: update, sent: "PUT cdrom_url=https://b.example/b.iso"},
		{path: "cdrom_url", when: remove, from: "https://a.example/a.iso", plan: update, sent: "PUT cdrom_url=null"}, // ejected
		{path: "cdrom_url", when: drift, from: "https://a.example/a.iso", to: "https://a.example/a.iso", plan: update, sent: "PUT cdrom_url=https://a.example/a.iso"},
		{path: "cdrom_url", when: drift, plan: update, sent: "PUT cdrom_url=null"},
		{path: "cdrom_url", when: adopt, from: "https://a.example/a.iso", to: "https://a.example/a.iso", plan: noop},
		{path: "cdrom_url", when: adopt, from: "https://a.example/a.iso", plan: update, sent: "PUT cdrom_url=null"},

		{path: "zone_name", when: createWith, to: "manchester", plan: create, sent: "create zone_name=manchester"},
		{path: "zone_name", when: change, from: "york", to: "manchester", plan: replace, sent: purge + "create zone_name=manchester", says: replaced},
		{path: "zone_name", when: remove, from: "manchester", plan: noop},
		{path: "zone_name", when: drift, from: "york", to: "york", plan: replace, sent: purge + "create zone_name=york", says: replaced},
		{path: "zone_name", when: drift, plan: noop},
		{path: "zone_name", when: adopt, from: "manchester", to: "manchester", plan: noop},

		{path: "last_imaged_with", when: drift, plan: noop},
		{path: "hostname", when: drift, plan: update, sent: "PUT name=web1"},
		{path: "management_address", when: drift, plan: noop},
		{path: "ipv4_address", when: drift, plan: noop},
		{path: "ipv6_address", when: drift, plan: noop},
	}
}

// readyRows returns the rows of the block ready. The emulator's guests answer on every port.
func readyRows() []row {
	port, portOff := given{"ready.port": 22}, given{"ready.port": 22, "power_on": false}
	http := given{"ready.port": 80, "ready.http_path": "/"}
	tls := given{"ready.port": 443, "ready.http_path": "/", "ready.https": true, "power_on": false}
	authority, other := authorityPEM("one"), authorityPEM("two")
	return slices.Concat([]row{
		{path: "ready.port", when: createWith, to: 65536, plan: refused, says: "65535"},
		{path: "ready.port", when: createWithout, beside: given{"ready.timeout": "1m"}, plan: refused, says: "Missing port"},
		{path: "ready.port", when: createWith, to: 22, plan: create, sent: "create"},
		{path: "ready.port", when: change, from: 22, to: 80, plan: update},
		{path: "ready.port", when: remove, beside: given{"ready.timeout": "1m"}, from: 22, plan: refused, says: "Missing port"},
		{path: "ready.port", when: adopt, to: 22, plan: update, says: recorded},
		{path: "ready.timeout", when: createWith, beside: port, to: "0s", plan: refused, says: "ready"},
		{path: "ready.timeout", when: createWithout, beside: port, plan: create, sent: "create"},
		{path: "ready.host", when: createWith, beside: port, to: "http://web1:22", plan: refused, says: "without scheme"},
		{path: "ready.http_path", when: createWith, beside: given{"ready.port": 80}, to: "health", plan: refused, says: "begins with a slash"},
		{path: "ready.http_path", when: remove, beside: given{"ready.port": 80, "ready.http_status": "200"}, from: "/", plan: refused, says: "Missing http_path"},
		{path: "ready.http_status", when: createWith, beside: http, to: "2xx", plan: refused, says: "from 200 to 599"},
	},
		inState("ready", nil, object{"port": 22}, object{"port": 80}),
		inState("ready.timeout", port, "1m", "2m"),
		inState("ready.host", portOff, "web1.example.com", "::1"),
		inState("ready.http_path", given{"ready.port": 80}, "/health", "/"),
		inState("ready.http_status", http, "200", "200-302"),
		inState("ready.http_host", http, "www.example.com", "www.example.com:8080"),
		inState("ready.https", with(http, "power_on", false), true, false),
		inState("ready.ca_certificate", tls, authority, other),
	)
}

// switchRows returns the rows of attributes that the service does not know. An import assumes their defaults, so the
// next plan is empty.
func switchRows() []row {
	var rows []row
	for path, values := range map[string][2]any{
		"allow_stopping_for_update": {true, false},
		"deletion_protection":       {true, false},
		"purge_on_destroy":          {false, true},
		"shutdown_before_destroy":   {true, false},
		"shutdown_timeout":          {"90s", "1m30s"},
		"on_shutdown_timeout":       {"fail", "switch_off"},
	} {
		from, to := values[0], values[1]
		rows = append(rows,
			row{path: path, when: createWith, to: from, plan: create, sent: "create"},
			row{path: path, when: change, from: from, to: to, plan: update},
			row{path: path, when: remove, from: from, plan: update},
			row{path: path, when: adopt, to: from, plan: update},
		)
	}
	return rows
}
