package console

import (
	"errors"
	"fmt"
	"math"
	"strings"
	"time"

	"github.com/spf13/pflag"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/emulator"
)

// Command is the emulator as configured by the flags.
type Command struct {
	Options emulator.Options
	// Address is the address to listen on.
	Address string
	// Seed, State, Dump and ReadyFile are file names.
	Seed, State, Dump, ReadyFile string
	// Healthcheck checks that an emulator serves at Address, instead of serving.
	Healthcheck bool
	// Quiet suppresses everything but errors.
	Quiet bool

	// GuestPort, GuestHTTP and GuestSSH are the ports on which guests answer; 0 for none.
	GuestPort, GuestHTTP, GuestSSH uint

	remote remote
	faults []emulator.Fault
	clock  time.Time
}

// DefaultAddress is the address on which the emulator is served if no other one is given.
const DefaultAddress = "127.0.0.1:8787"

// Register defines the emulator's flags and returns the command that they configure.
func Register(flags *pflag.FlagSet) *Command {
	c := &Command{Address: DefaultAddress}
	o := &c.Options
	flags.StringVar(&c.Seed, "seed", "", "start with the world in this `file`")
	flags.StringVar(&c.State, "state", "", "keep the world in this `file`, on which other emulators and providers may work at the same time")
	flags.StringVar(&c.Dump, "dump", "", "write the world to this `file` at the end")

	flags.DurationVar(&o.BootTime, "boot-time", 3*time.Second, "how long a machine takes to start or to be reimaged")
	flags.DurationVar(&o.ShutdownTime, "shutdown-time", 0, "how long a guest takes to shut down")
	flags.UintVar(&c.GuestPort, "guest-port", 0, "let machines that are on answer on this TCP `port` of addresses in "+emulator.GuestIPv4)
	flags.UintVar(&c.GuestHTTP, "guest-http", 0,
		"the same over HTTP, on this `port`: with status 200, or the one that was set at /_emulator/guests or /_emulator/images")
	flags.UintVar(&c.GuestSSH, "guest-ssh", 0, "the same over SSH, on this `port`: a host key, and no login")
	flags.DurationVar(&o.GuestBoot, "guest-boot", time.Second, "how long after power comes a guest answers")
	flags.DurationVar(&o.CopyTime, "copy-time", 3*time.Second, "how long a backup, restore or migration of a disc takes")
	flags.Func("clock", "start at this `time` of the emulator's clock, such as 2026-01-01T00:00:00Z; default now", func(written string) (err error) {
		c.clock, err = parseClock(written)
		return err
	})
	flags.DurationVar(&o.Latency, "latency", 0, "added to every answer")
	flags.StringVar(&o.Vendor, "vendor", "example", "the vendor in media types")
	flags.BoolVar(&o.PendingRaises, "pending-raises", false, "accept more cores or memory on a running machine, effective at the next power cycle")
	flags.BoolVar(&o.DottedGroups, "dotted-groups", false, "accept dots in names of groups")

	flags.Func("fault", "inject a `fault`, such as 'POST */vm_create 503 times=2'; repeatable", c.addFault)
	flags.IntVar(&o.RateLimit, "rate-limit", 0, "answer 429 beyond this `number` of requests per second")
	flags.IntVar(&o.Capacity, "capacity", 0, "have room for this `number` of running machines")
	flags.BoolVar(&o.IgnorePowerdown, "ignore-powerdown", false, "let guests ignore the powerdown signal")
	flags.BoolVar(&o.Strict, "strict", false, "refuse memory that is not offered, and creations without cores or memory")
	flags.BoolVar(&o.ConcurrentCreateFails, "concurrent-create-fails", false, "answer 500 to a creation while another one runs in its group")

	flags.StringVar(&c.ReadyFile, "ready-file", "", "write the endpoint to this `file` when it is served; removed at the end")
	flags.BoolVar(&c.Healthcheck, "healthcheck", false, "exit with status 0 if an emulator serves at the address, and with 1 if not")
	flags.BoolVar(&c.Quiet, "quiet", false, "print nothing but errors")
	flags.BoolFunc("allow-remote", "accept addresses and hosts that are not loopback: all, or with =HOST,… only these hosts", c.remote.set)
	return c
}

// addFault parses one --fault.
func (c *Command) addFault(written string) error {
	if len(c.faults) >= emulator.MaxFaults {
		return fmt.Errorf("there are more than %d faults", emulator.MaxFaults)
	}
	fault, err := parseFault(written)
	if fault.Key = written; err == nil {
		c.faults = append(c.faults, fault)
	}
	return err
}

// check returns an error if the flags are invalid.
func (c *Command) check() error {
	for name, d := range map[string]time.Duration{
		"--boot-time": c.Options.BootTime, "--shutdown-time": c.Options.ShutdownTime, "--copy-time": c.Options.CopyTime, "--latency": c.Options.Latency,
		"--guest-boot": c.Options.GuestBoot,
	} {
		if d < 0 {
			return fmt.Errorf("%s must not be negative", name)
		}
	}
	ports := map[uint]string{}
	for _, f := range []struct {
		name string
		port uint
	}{{"--guest-port", c.GuestPort}, {"--guest-http", c.GuestHTTP}, {"--guest-ssh", c.GuestSSH}} {
		if f.port > math.MaxUint16 {
			return fmt.Errorf("%s %d is not a port", f.name, f.port)
		}
		if other := ports[f.port]; f.port > 0 && other != "" {
			return fmt.Errorf("%s and %s need two ports", other, f.name)
		}
		ports[f.port] = f.name
	}
	if min(c.Options.RateLimit, c.Options.Capacity) < 0 {
		return errors.New("--rate-limit and --capacity must not be negative")
	}
	return nil
}

// remote is the value of --allow-remote: no host, some hosts, or all.
type remote struct {
	all   bool
	hosts []string
}

// set parses the value of the flag, which is "true" if the flag has no value.
func (r *remote) set(value string) error {
	*r = remote{all: value == "true"}
	if value != "true" && value != "false" && value != "" {
		r.hosts = strings.Split(strings.ToLower(value), ",")
	}
	return nil
}

// allowed reports whether the flag permits addresses that are not loopback addresses.
func (r *remote) allowed() bool { return r.all || len(r.hosts) > 0 }
