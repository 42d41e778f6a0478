package console

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/emulator"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/emulator/guest"
)

// summary is the part of a world that the banner prints.
type summary struct {
	Users []struct {
		Name         string   `json:"name"`
		Password     string   `json:"password"`
		SecondFactor bool     `json:"second_factor"`
		Accounts     []string `json:"accounts"`
	} `json:"users"`
	APIKeys []struct {
		Key  string `json:"key"`
		User string `json:"user"`
	} `json:"api_keys"`
	Accounts []struct {
		Name   string `json:"name"`
		Groups []struct {
			Name     string         `json:"name"`
			VLAN     map[string]any `json:"private_vlan"`
			Machines []struct {
				Discs []struct {
					Backups struct {
						Schedules []json.RawMessage `json:"schedules"`
					} `json:"backups"`
				} `json:"discs"`
			} `json:"virtual_machines"`
		} `json:"groups"`
	} `json:"accounts"`
	RDNS        map[string]string `json:"rdns"`
	Definitions map[string]any    `json:"definitions"`
}

// banner returns what the emulator prints at its start: what it has, and how to use it.
func (d *desk) banner(endpoint string) string {
	var s summary
	// The dump is the emulator's own: it decodes.
	_ = json.Unmarshal(d.emulator.Dump(), &s)
	var b strings.Builder
	line := func(format string, arguments ...any) { fmt.Fprintf(&b, format+"\n", arguments...) }
	row := func(name, value string) { line("  %-18s %s", name, visible(value)) }

	line("The emulator is listening on %s", endpoint)
	line("Open that address in a browser to watch it. Press Ctrl-C to stop it.\n")
	for _, account := range s.Accounts {
		row("account", account.Name+", groups: "+s.groups(account.Name))
	}
	for _, user := range s.Users {
		note := ", password " + user.Password
		if user.SecondFactor {
			note += ", and any code of six to eight digits, each once"
		}
		row("user", user.Name+note)
	}
	for _, key := range s.APIKeys {
		row("API key", key.Key+" (user "+key.User+")")
	}
	for _, set := range []string{"zone_names", "distributions", "storage_grades", "hardware_profiles"} {
		if list, ok := s.Definitions[set].([]any); ok {
			row(strings.ReplaceAll(set, "_", " "), strings.Trim(fmt.Sprint(list), "[]"))
		}
	}
	row("loaded", s.loaded())
	if d.guests != nil {
		row("guests", fmt.Sprintf("new machines answer on port %d of %s, at most %d", d.guests.Port(), emulator.GuestIPv4, guest.Most))
	}
	if d.command.State != "" {
		row("state", d.command.State)
	}
	for _, fault := range d.faults() {
		row("fault", fault.Fault)
	}
	line("\nTo use it, paste this into another terminal:\n")
	line("%s", exports(endpoint, d.emulator.View()))
	return b.String()
}

// loaded returns how much there is.
func (s summary) loaded() string {
	groups, machines, schedules := 0, 0, 0
	for _, a := range s.Accounts {
		groups += len(a.Groups)
		for _, g := range a.Groups {
			machines += len(g.Machines)
			for _, m := range g.Machines {
				for _, d := range m.Discs {
					schedules += len(d.Backups.Schedules)
				}
			}
		}
	}
	return fmt.Sprintf("groups: %d, virtual machines: %d, backup schedules: %d, reverse names: %d", groups, machines, schedules, len(s.RDNS))
}

// groups returns the groups of an account in one line.
func (s summary) groups(account string) string {
	var list []string
	for _, a := range s.Accounts {
		for _, g := range a.Groups {
			if a.Name != account {
				continue
			}
			name := g.Name
			if g.VLAN != nil {
				name += fmt.Sprintf(" (private VLAN %v and %v)", g.VLAN["ipv4"], g.VLAN["ipv6"])
			}
			list = append(list, name)
		}
	}
	if len(list) == 0 {
		return "none"
	}
	return strings.Join(list, ", ")
}

// exports returns the shell commands that point the provider at the emulator.
func exports(endpoint string, v emulator.View) string {
	lines := []string{"export CLOUDSERVER_ENDPOINT=" + endpoint}
	if len(v.Accounts) == 0 {
		return lines[0]
	}
	account := v.Accounts[0]
	for _, key := range v.Keys {
		if n := slices.IndexFunc(v.Users, func(u emulator.UserView) bool { return u.Name == key.User }); n >= 0 &&
			(len(v.Users[n].Accounts) == 0 || slices.Contains(v.Users[n].Accounts, account.Name)) {
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

// quote returns a value for a shell, in quotes where it needs them.
func quote(value string) string {
	if strings.Trim(value, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._-") == "" {
		return value
	}
	return "'" + strings.ReplaceAll(value, "'", `'\''`) + "'"
}
