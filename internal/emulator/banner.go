package emulator

import (
	"fmt"
	"io"
	"log"
	"strings"
)

// banner tells a user what is there and how to reach it.
func (e *Emulator) banner(endpoint string) string {
	e.mu.Lock()
	defer e.mu.Unlock()
	list := func(set string) string {
		return strings.Join(e.store.choice(set).values, ", ")
	}
	rows := [][2]string{
		{"account", DemoAccount},
		{"groups", DefaultGroup + " (public VLAN), " + PrivateGroup + " (private VLAN, " + PrivateIPv4 + " and " + PrivateIPv6 + ")"},
		{"user", DemoUser + ", password " + DemoPassword},
		{"API key", DemoAPIKey},
		{"zones", list("zone_names") + " (with an Authorization header also " + HiddenZone + ")"},
		{"distributions", list("distributions")},
		{"storage grades", list("storage_grades")},
		{"hardware profiles", list("hardware_profiles")},
		{"keymaps", list("keymaps")},
		{"sendkeys", list("sendkeys")},
	}
	var b strings.Builder
	line := func(format string, arguments ...any) {
		b.WriteString(fmt.Sprintf(format, arguments...) + "\n")
	}
	line("The emulator is listening on %s. All is in memory; Ctrl-C ends it.\n", endpoint)
	for _, row := range rows {
		line("  %-18s %s", row[0], row[1])
	}
	line("\nTo use it, paste this into another terminal:\n")
	for _, variable := range [][2]string{{"ENDPOINT", endpoint}, {"TOKEN", DemoAPIKey}, {"ACCOUNT", DemoAccount}, {"GROUP", DefaultGroup}} {
		line("export CLOUDSERVER_%s=%s", variable[0], variable[1])
	}
	line("\nInstead of the token, a user and a password make a session:\n")
	line("unset CLOUDSERVER_TOKEN")
	line("export CLOUDSERVER_USERNAME=%s", DemoUser)
	line("export CLOUDSERVER_PASSWORD=%s", DemoPassword)
	return b.String()
}

// newErrorLog makes a log of what goes wrong with connections.
func newErrorLog(w io.Writer) *log.Logger { return log.New(w, "emulator: ", 0) }
