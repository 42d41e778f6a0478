package console

import (
	"flag"
	"fmt"
	"io"
	"slices"
	"strings"
)

// group is a section of the usage message.
type group struct {
	title string
	flags []string
}

// groups are the emulator's sections of the usage message.
func groups() []group {
	return []group{
		{"Emulator", []string{"emulator", "seed", "state", "dump", "boot-time", "shutdown-time", "copy-time", "guest-port", "guest-http", "guest-ssh", "guest-boot", "clock", "latency", "vendor", "pending-raises", "dotted-groups"}},
		{"Emulator: make it fail", []string{"fault", "rate-limit", "capacity", "ignore-powerdown", "strict", "concurrent-create-fails"}},
		{"Emulator: in scripts", []string{"ready-file", "healthcheck", "quiet", "emulator-allow-remote"}},
	}
}

// Introduction explains in three lines what the program is and how to start the emulator.
const Introduction = `This is a provider for Terraform and OpenTofu: terraform init installs it, and terraform starts it.
It also carries an emulator of its service, to try it without an account:
  terraform-provider-cloudserver -emulator 127.0.0.1:8787
`

// Misused returns an error if flags of the emulator are set without -emulator.
func (c *Command) Misused(flags *flag.FlagSet) (err error) {
	if c.Address != "" {
		return nil
	}
	flags.Visit(func(f *flag.Flag) {
		if isEmulators(f.Name) {
			err = cannotStart(fmt.Errorf("-%s needs -emulator ADDRESS, such as -emulator 127.0.0.1:8787", f.Name))
		}
	})
	return err
}

// isEmulators reports whether a flag belongs to the emulator.
func isEmulators(name string) bool {
	return slices.ContainsFunc(groups(), func(g group) bool { return slices.Contains(g.flags, name) })
}

// PrintUsage prints the flags in groups, those of other parts of the program first.
func PrintUsage(w io.Writer, flags *flag.FlagSet) {
	first := group{title: "Program"}
	flags.VisitAll(func(f *flag.Flag) {
		if !isEmulators(f.Name) {
			first.flags = append(first.flags, f.Name)
		}
	})
	var b strings.Builder
	b.WriteString(Introduction)
	for _, g := range append([]group{first}, groups()...) {
		fmt.Fprintf(&b, "\n%s\n", g.title)
		for _, name := range g.flags {
			if f := flags.Lookup(name); f != nil {
				line(&b, f)
			}
		}
	}
	_, _ = io.WriteString(w, b.String())
}

// line writes one flag of the usage message.
func line(b *strings.Builder, f *flag.Flag) {
	value, usage := flag.UnquoteUsage(f)
	fmt.Fprintf(b, "  %-28s %s", strings.TrimSpace("-"+f.Name+" "+value), usage)
	if f.DefValue != "" && f.DefValue != "false" && f.DefValue != "0" && f.DefValue != "0s" {
		fmt.Fprintf(b, " (default %s)", f.DefValue)
	}
	b.WriteByte('\n')
}
