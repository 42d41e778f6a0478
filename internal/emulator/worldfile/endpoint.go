// SPDX-License-Identifier: MPL-2.0

package worldfile

import (
	"cmp"
	"errors"
	"fmt"
	"maps"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/spf13/pflag"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/emulator"
)

// Scheme is the prefix of endpoints that this package serves.
const Scheme = "emulator:"

// Account is the name of an account in every world, unless the seed defines others. It has a group "default".
const Account = emulator.DemoAccount

// defaultFile is the file of the world for an endpoint without one, in the CLI's data directory.
const defaultFile = "cloudserver-emulator.json"

// bootTime is how long a boot, a reimage or a copy of a disc takes by default.
const bootTime = 3 * time.Second

// Serve returns the transport for a client with an endpoint such as emulator:world.json?boot-time=0s, and the absolute
// path of the world's file. It touches no file. Credentials are neither needed nor checked.
func Serve(endpoint string) (transport http.RoundTripper, file string, err error) {
	rest, ok := strings.CutPrefix(endpoint, Scheme)
	if !ok {
		return nil, "", fmt.Errorf("does not begin with %s", Scheme)
	}
	name, query := rest, ""
	if n := strings.LastIndexByte(rest, '?'); n >= 0 {
		name, query = rest[:n], rest[n+1:]
	}
	if strings.HasPrefix(name, "//") {
		return nil, "", errors.New("write the file without slashes before it, such as emulator:world.json")
	}
	options, seed, err := parseOptions(query)
	if err != nil {
		return nil, "", err
	}
	isDefault := name == ""
	if isDefault {
		name = filepath.Join(cmp.Or(os.Getenv("TF_DATA_DIR"), ".terraform"), defaultFile)
	}
	if file, err = filepath.Abs(name); err != nil {
		return nil, "", err
	}
	if err := CheckDirectory(file); err != nil && !isDefault {
		return nil, "", err
	}
	options.Open, options.JournalSize = true, 1 // nobody can read the journal
	return New(file, options, func(e *emulator.Emulator) error {
		data, err := Seed(seed)
		if err == nil {
			err = e.Load(data)
		}
		return err
	}), file, nil
}

// CheckDirectory returns an error if there is no directory for a world's file.
func CheckDirectory(file string) error {
	directory := filepath.Dir(file)
	if found, err := os.Stat(directory); err != nil || !found.IsDir() {
		return fmt.Errorf("there is no directory %s: create it, or name a file in another one", directory)
	}
	return nil
}

// AddFlags defines the flags of an emulator that are also the options of an endpoint.
func AddFlags(flags *pflag.FlagSet, options *emulator.Options, seed *string) {
	flags.StringVar(seed, "seed", "", "start with the world in this `file`")
	flags.DurationVar(&options.BootTime, "boot-time", bootTime,
		"how long a boot, a reimage, and a backup or a move of a disc take")
	flags.DurationVar(&options.Latency, "latency", 0, "added to every answer")
	flags.Func("fault", "inject a `fault`, such as 'POST */vm_create 503 times=2'; repeatable",
		func(written string) error {
			fault, err := emulator.ParseFault(written)
			options.Faults = append(options.Faults, fault)
			return err
		})
	flags.BoolVar(&options.IgnorePowerdown, "ignore-powerdown", false, "guests do not shut down when they are asked")
	flags.IntVar(&options.RateLimit, "rate-limit", 0, "answer 429 beyond this `number` of requests per second")
}

// parseOptions parses the options of an endpoint, which are written as the query of a URL.
func parseOptions(query string) (options emulator.Options, seed string, err error) {
	values, err := url.ParseQuery(query)
	if err != nil {
		return options, "", fmt.Errorf(
			"the options %q: %w (write %% as %%25, & as %%26, + as %%2B and ; as %%3B in a value)", query, err)
	}
	flags := pflag.NewFlagSet("", pflag.ContinueOnError)
	AddFlags(flags, &options, &seed)
	for _, name := range slices.Sorted(maps.Keys(values)) {
		flag := flags.Lookup(name)
		if flag == nil {
			return options, "", fmt.Errorf(
				"there is no option %q; the options are seed, boot-time, latency, fault, rate-limit, ignore-powerdown", name)
		}
		for _, value := range values[name] {
			if err := flag.Value.Set(cmp.Or(value, flag.NoOptDefVal)); err != nil {
				return options, "", fmt.Errorf("option %s=%s: %w", name, value, err)
			}
		}
	}
	options.FirstID, options.CopyTime = FirstID(time.Now()), options.BootTime
	return options, seed, nil
}
