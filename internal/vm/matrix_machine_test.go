package vm_test

import "slices"

func machineRows() []row {
	return []row{
		{"cores", createWith, nil, nil, 2, create, "create cores=2", ""},
		{"cores", change, mayStop, 2, 4, update, stop + "PUT cores=4; " + start, restarts},
		{"cores", change, nil, 2, 4, refused, "", "error at cores: Cannot change cores of virtual machine"},
		{"cores", change, off, 2, 4, update, "PUT cores=4", ""},
		{"cores", change, nil, 2, 1, update, "PUT cores=1", lowered},
		{"cores", remove, nil, 2, nil, noop, "", ""},
		{"cores", drift, nil, 2, 2, update, "PUT cores=2", lowered},
		{"cores", drift, nil, nil, nil, noop, "", ""},
		{"cores", adopt, nil, 2, 2, noop, "", ""},

		{"memory", createWith, nil, nil, 2048, create, "create memory=2048", ""},
		{"memory", change, mayStop, 2048, 4096, update, stop + "PUT memory=4096; " + start, restarts},
		{"memory", change, nil, 2048, 4096, refused, "", "error at memory: Cannot change memory of virtual machine"},
		{"memory", change, off, 2048, 4096, update, "PUT memory=4096", ""},
		{"memory", change, nil, 2048, 1024, update, "PUT memory=1024", lowered},
		{"memory", remove, nil, 2048, nil, noop, "", ""},
		{"memory", drift, mayStop, 16384, 16384, update, stop + "PUT memory=16384; " + start, restarts},
		{"memory", drift, nil, nil, nil, noop, "", ""},
		{"memory", adopt, nil, 2048, 2048, noop, "", ""},

		{"hardware_profile", createWith, nil, nil, "compatibility2013", create, "create hardware_profile=compatibility2013", ""},
		{"hardware_profile", createWith, nil, nil, "virtio2011", create, "create hardware_profile=virtio2011", ""}, // upgraded at boot
		{"hardware_profile", change, nil, "virtio2013", "compatibility2013", refused, "", "allow_stopping_for_update = true"},
		{"hardware_profile", change, mayStop, "virtio2013", "compatibility2013", update, stop + "PUT hardware_profile=compatibility2013; " + start, restarts},
		{"hardware_profile", change, off, "virtio2013", "compatibility2013", update, "PUT hardware_profile=compatibility2013", ""},
		{"hardware_profile", change, nil, "virtio2011", "virtio2013", update, "", ""},                 // as the service has it
		{"hardware_profile", change, nil, "virtio2013", "virtio2011", update, "", "is only recorded"}, // and would be upgraded again
		{"hardware_profile", remove, nil, "compatibility2013", nil, noop, "", ""},
		{"hardware_profile", drift, mayStop, "virtio2013", "virtio2013", update, stop + "PUT hardware_profile=virtio2013; " + start, restarts},
		{"hardware_profile", drift, nil, nil, nil, noop, "", ""},
		{"hardware_profile", adopt, nil, "compatibility2013", "compatibility2013", noop, "", ""},
		{"effective_hardware_profile", drift, nil, nil, nil, noop, "", ""},

		{"hardware_profile_locked", createWith, nil, nil, true, create, "create hardware_profile_locked=true", ""},
		{"hardware_profile_locked", change, nil, false, true, update, "PUT hardware_profile_locked=true", ""},
		{"hardware_profile_locked", remove, nil, true, nil, noop, "", ""},
		{"hardware_profile_locked", drift, nil, true, true, update, "PUT hardware_profile_locked=true", ""},
		{"hardware_profile_locked", drift, nil, nil, nil, noop, "", ""},
		{"hardware_profile_locked", adopt, nil, true, true, noop, "", ""},

		{"autoreboot_on", createWith, nil, nil, false, create, "create autoreboot_on=false", ""},
		{"autoreboot_on", change, nil, true, false, update, "PUT autoreboot_on=false", ""},
		{"autoreboot_on", change, off, false, true, refused, "", "Conflicting power settings"},
		{"autoreboot_on", remove, nil, false, nil, noop, "", ""},
		{"autoreboot_on", drift, nil, true, true, update, "PUT autoreboot_on=true", ""},
		{"autoreboot_on", drift, nil, nil, nil, noop, "", ""},
		{"autoreboot_on", adopt, nil, false, false, noop, "", ""},

		{"power_on", createWith, nil, nil, true, create, "create", ""},
		{"power_on", createWith, nil, nil, false, create, "create autoreboot_on=false power_on=false", ""},
		{"power_on", change, nil, true, false, update, "PUT autoreboot_on=false; signal powerdown", ""},
		{"power_on", change, nil, false, true, update, start, ""},
		{"power_on", change, given{"autoreboot_on": false}, false, true, update, start + "; PUT autoreboot_on=false", ""},
		{"power_on", change, given{"autoreboot_on": true}, true, false, refused, "", "Conflicting power settings"},
		{"power_on", remove, nil, false, nil, noop, "", ""},
		{"power_on", drift, nil, true, true, update, start, ""},
		{"power_on", drift, nil, false, false, update, "signal powerdown", ""},
		{"power_on", drift, nil, nil, nil, noop, "", ""}, // left alone
		{"power_on", adopt, nil, false, false, noop, "", ""},
		{"power_on", adopt, nil, false, nil, noop, "", ""},

		{"keymap", createWith, nil, nil, "de", create, "create keymap=de", ""},
		{"keymap", change, nil, "de", "fr", update, "PUT keymap=fr", ""},
		{"keymap", remove, nil, "de", nil, noop, "", ""},
		{"keymap", drift, nil, "de", "de", update, "PUT keymap=de", ""},
		{"keymap", drift, nil, nil, nil, noop, "", ""},
		{"keymap", adopt, nil, "de", "de", noop, "", ""},

		{"cdrom_url", createWith, nil, nil, "https://a.example/a.iso", create, "create cdrom_url=https://a.example/a.iso", ""},
		{"cdrom_url", change, nil, "https://a.example/a.iso", "https://b.example/b.iso", update, "PUT cdrom_url=https://b.example/b.iso", ""},
		{"cdrom_url", remove, nil, "https://a.example/a.iso", nil, update, "PUT cdrom_url=null", ""}, // ejected
		{"cdrom_url", drift, nil, "https://a.example/a.iso", "https://a.example/a.iso", update, "PUT cdrom_url=https://a.example/a.iso", ""},
		{"cdrom_url", drift, nil, nil, nil, update, "PUT cdrom_url=null", ""},
		{"cdrom_url", adopt, nil, "https://a.example/a.iso", "https://a.example/a.iso", noop, "", ""},
		{"cdrom_url", adopt, nil, "https://a.example/a.iso", nil, update, "PUT cdrom_url=null", ""},

		{"zone_name", createWith, nil, nil, "manchester", create, "create zone_name=manchester", ""},
		{"zone_name", change, nil, "york", "manchester", replace, purge + "create zone_name=manchester", replaced},
		{"zone_name", remove, nil, "manchester", nil, noop, "", ""},
		{"zone_name", drift, nil, "york", "york", replace, purge + "create zone_name=york", replaced},
		{"zone_name", drift, nil, nil, nil, noop, "", ""},
		{"zone_name", adopt, nil, "manchester", "manchester", noop, "", ""},

		{"last_imaged_with", drift, nil, nil, nil, noop, "", ""},
		{"hostname", drift, nil, nil, nil, update, "PUT name=web1", ""},
		{"management_address", drift, nil, nil, nil, noop, "", ""},
		{"ipv4_address", drift, nil, nil, nil, noop, "", ""},
		{"ipv6_address", drift, nil, nil, nil, noop, "", ""},
	}
}

// readyRows: the guests of the emulator answer on every port.
func readyRows() []row {
	port, portOff := given{"ready.port": 22}, given{"ready.port": 22, "power_on": false}
	http := given{"ready.port": 80, "ready.http_path": "/"}
	tls := given{"ready.port": 443, "ready.http_path": "/", "ready.https": true, "power_on": false}
	authority, other := authorityPEM("one"), authorityPEM("two")
	return slices.Concat([]row{
		{"ready.port", createWith, nil, nil, 65536, refused, "", "65535"},
		{"ready.port", createWithout, given{"ready.timeout": "1m"}, nil, nil, refused, "", "Missing port"},
		{"ready.port", createWith, nil, nil, 22, create, "create", ""},
		{"ready.port", change, nil, 22, 80, update, "", ""},
		{"ready.port", remove, given{"ready.timeout": "1m"}, 22, nil, refused, "", "Missing port"},
		{"ready.port", adopt, nil, nil, 22, update, "", recorded},
		{"ready.timeout", createWith, port, nil, "0s", refused, "", "ready"},
		{"ready.timeout", createWithout, port, nil, nil, create, "create", ""},
		{"ready.host", createWith, port, nil, "http://web1:22", refused, "", "without scheme"},
		{"ready.http_path", createWith, given{"ready.port": 80}, nil, "health", refused, "", "begins with a slash"},
		{"ready.http_path", remove, given{"ready.port": 80, "ready.http_status": "200"}, "/", nil, refused, "", "Missing http_path"},
		{"ready.http_status", createWith, http, nil, "2xx", refused, "", "from 200 to 599"},
		{"ready.https", change, with(tls, "ready.ca_certificate", authority), true, false, refused, "", "Unused ca_certificate"},
		{"ready.ssh_host_key", createWith, port, nil, "ssh-ed25519 AAAA", refused, "", "one public key"},
		{"ready.ssh_host_key", change, http, nil, hostKeys[0], refused, "", "Conflicting checks"},
	},
		inState("ready", nil, object{"port": 22}, object{"port": 80}),
		inState("ready.timeout", port, "1m", "2m"),
		inState("ready.host", portOff, "web1.example.com", "::1"),
		inState("ready.http_path", given{"ready.port": 80}, "/health", "/"),
		inState("ready.http_status", http, "200", "200-302"),
		inState("ready.http_host", http, "www.example.com", "www.example.com:8080"),
		inState("ready.https", with(http, "power_on", false), true, false),
		inState("ready.ca_certificate", tls, authority, other),
		inState("ready.ssh_host_key", portOff, hostKeys[0], hostKeys[1]),
	)
}

// switchRows: an import assumes the defaults, so that nothing is recorded.
func switchRows() []row {
	var rows []row
	for path, values := range map[string][2]any{
		"allow_stopping_for_update": {true, false},
		"deletion_protection":       {true, false},
		"purge_on_destroy":          {false, true},
		"shutdown_before_destroy":   {true, false},
		"shutdown_timeout":          {"90s", "1m30s"},
	} {
		from, to := values[0], values[1]
		rows = append(rows,
			row{path, createWith, nil, nil, from, create, "create", ""},
			row{path, change, nil, from, to, update, "", ""},
			row{path, change, nil, to, from, update, "", ""},
			row{path, remove, nil, from, nil, update, "", ""},
			row{path, adopt, nil, from, nil, noop, "", ""},
		)
	}
	return rows
}
