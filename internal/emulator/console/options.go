package console

import (
	"errors"
	"fmt"
	"net/url"
	"slices"
	"strings"

	"github.com/spf13/pflag"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/emulator/worldfile"
)

// worldOptions are the flags that make sense for a world without a server.
func worldOptions() []string {
	return []string{
		"seed", "boot-time", "shutdown-time", "copy-time", "clock", "latency", "vendor", "pending-raises", "dotted-groups",
		"fault", "rate-limit", "capacity", "ignore-powerdown", "strict", "concurrent-create-fails",
	}
}

// ParseOptions parses flags that are written as the query of a URL, such as boot-time=0s&fault=GET * 503.
func ParseOptions(query string) (*Command, error) {
	values, err := url.ParseQuery(query)
	if err != nil {
		return nil, fmt.Errorf("the options %q: %w (write %% as %%25, & as %%26, + as %%2B and ; as %%3B in a value)", query, err)
	}
	flags := pflag.NewFlagSet("", pflag.ContinueOnError)
	c := Register(flags)
	names := make([]string, 0, len(values))
	for name := range values {
		names = append(names, name)
	}
	slices.Sort(names)
	for _, name := range names {
		if !slices.Contains(worldOptions(), name) {
			return nil, fmt.Errorf("there is no option %q; the options are %s", name, strings.Join(worldOptions(), ", "))
		}
		for _, value := range values[name] {
			if isSwitch(flags.Lookup(name)) && value == "" {
				value = "true"
			}
			if err := flags.Set(name, value); err != nil {
				if cause := errors.Unwrap(err); cause != nil { // without the name of the flag
					err = cause
				}
				return nil, fmt.Errorf("option %s=%s: %w", name, value, err)
			}
		}
	}
	if err := c.check(); err != nil {
		return nil, fmt.Errorf("option %s", strings.TrimPrefix(err.Error(), "--"))
	}
	return c, nil
}

// isSwitch reports whether a flag needs no value.
func isSwitch(f *pflag.Flag) bool { return f.NoOptDefVal != "" }

// Open returns the world of a file for requests of this process, with any credentials. No file is read before the first
// request.
func (c *Command) Open(name string) (*worldfile.World, error) {
	options := c.options()
	options.Open, options.NoJournal = true, true
	return worldfile.New(name, options, c.beginSeed)
}
