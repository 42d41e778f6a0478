package console

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/emulator"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/emulator/guest"
)

// banner returns the text that the emulator prints at its start: what its world contains and how to use it.
func (d *desk) banner(endpoint string) string {
	v := d.emulator.View()
	var b strings.Builder
	line := func(format string, arguments ...any) { fmt.Fprintf(&b, format+"\n", arguments...) }
	row := func(name, value string) { line("  %-18s %s", name, visible(value)) }

	line("The emulator is listening on %s", endpoint)
	line("Open that address in a browser to watch it. Press Ctrl-C to stop it.\n")
	for _, account := range v.Accounts {
		row("account", account.Name+", groups: "+groupNames(account))
	}
	for _, user := range v.Users {
		note := ", password " + user.Password
		if user.SecondFactor {
			note += ", and any code of six to eight digits, each once"
		}
		row("user", user.Name+note)
	}
	for _, key := range v.APIKeys {
		row("API key", key.Key+" (user "+key.User+")")
	}
	for _, set := range []string{"zone_names", "distributions", "storage_grades", "hardware_profiles"} {
		row(strings.ReplaceAll(set, "_", " "), strings.Join(v.Offered[set], " "))
	}
	row("loaded", loaded(v))
	if d.guests != nil {
		var ports []string
		for _, on := range []struct {
			protocol guest.Protocol
			name     string
		}{{guest.Greeting, "port"}, {guest.HTTP, "HTTP port"}, {guest.SSH, "SSH port"}} {
			if port := d.guests.Port(on.protocol); port > 0 {
				ports = append(ports, fmt.Sprintf("%s %d", on.name, port))
			}
		}
		row("guests", fmt.Sprintf("new machines answer on %s of %s, at most %d", strings.Join(ports, ", "), emulator.GuestIPv4, guest.Most))
	}
	if d.command.State != "" {
		row("state", d.command.State)
	}
	for _, fault := range d.emulator.Faults() {
		row("fault", fault.Name)
	}
	line("\nTo use it, paste this into another terminal:\n")
	line("%s", exports(endpoint, v))
	return b.String()
}

// loaded returns how many objects the world contains.
func loaded(v emulator.View) string {
	groups, machines, schedules := 0, 0, 0
	for _, a := range v.Accounts {
		groups += len(a.Groups)
		for _, g := range a.Groups {
			machines += len(g.Machines)
			for _, m := range g.Machines {
				for _, d := range m.Discs {
					if d.Backups != nil {
						schedules += len(d.Backups.Schedules)
					}
				}
			}
		}
	}
	return fmt.Sprintf("groups: %d, virtual machines: %d, backup schedules: %d, reverse names: %d", groups, machines, schedules, len(v.RDNS))
}

// groupNames returns the groups of an account in one line.
func groupNames(account emulator.WorldAccount) string {
	var list []string
	for _, g := range account.Groups {
		name := g.Name
		if g.PrivateVLAN != nil {
			name += " (private VLAN " + g.PrivateVLAN.IPv4 + " and " + g.PrivateVLAN.IPv6 + ")"
		}
		list = append(list, name)
	}
	return cmp.Or(strings.Join(list, ", "), "none")
}

// exports returns the shell commands that point the provider at the emulator.
func exports(endpoint string, v emulator.View) string {
	lines := []string{"export CLOUDSERVER_ENDPOINT=" + endpoint}
	if len(v.Accounts) == 0 {
		return lines[0]
	}
	account := v.Accounts[0]
	for _, key := range v.APIKeys {
		if slices.ContainsFunc(v.Users, func(u *emulator.User) bool { return u.Name == key.User && u.Sees(account.Name) }) {
			lines = append(lines, "export CLOUDSERVER_TOKEN="+quote(visible(key.Key)))
			break
		}
	}
	lines = append(lines, "export CLOUDSERVER_ACCOUNT="+account.Name)
	if len(account.Groups) > 0 {
		lines = append(lines, "export CLOUDSERVER_GROUP="+account.Groups[0].Name)
	}
	return strings.Join(lines, "\n")
}

// quote quotes a value for a shell, if necessary.
func quote(value string) string {
	if strings.Trim(value, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._-") == "" {
		return value
	}
	return "'" + strings.ReplaceAll(value, "'", `'\''`) + "'"
}
