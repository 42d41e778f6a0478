// SPDX-License-Identifier: MPL-2.0

package provider

import (
	"fmt"
	"os"
	"os/signal"
	"runtime/debug"
	"slices"
	"strings"
	"syscall"

	"github.com/hashicorp/terraform-plugin-framework/provider"
	"github.com/hashicorp/terraform-plugin-framework/providerserver"
	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/hashicorp/terraform-plugin-go/tfprotov6/tf6server"
)

// Serve serves the provider to the Terraform that started this process or, with debug, to one whose environment refers
// to this process. address is the provider's name in the registry.
func Serve(factory func() provider.Provider, address string, debug bool) error {
	collectRarely()
	server, err := NewServer(factory())
	if err != nil {
		return err
	}
	if !logsAreRead(os.Environ()) {
		silenceLogs(os.Setenv)
		server = withoutLoggers{server}
	}
	var options []tf6server.ServeOpt
	if debug {
		options = append(options, tf6server.WithManagedDebug())
	} else {
		leaveTerminationToParent()
	}
	return tf6server.Serve(address, func() tfprotov6.ProviderServer { return server }, options...)
}

// Server is everything that the framework's server offers. Without the embedded interfaces Terraform would see no list
// resources and no actions.
type Server interface {
	tfprotov6.ProviderServerWithListResource //nolint:staticcheck // until ProviderServer has its methods
	tfprotov6.ProviderServerWithActions      //nolint:staticcheck // until ProviderServer has its methods
}

// NewServer returns the server of a provider, without its connection to Terraform: the framework's, which generates
// configuration as a person would write it, behind what explains fractions and the fast path for plans in which nothing
// changes.
func NewServer(p provider.Provider) (Server, error) {
	framework := providerserver.NewProtocol6(p)()
	server, ok := framework.(Server)
	if !ok {
		return nil, fmt.Errorf("the plugin framework's server (%T) offers no list resources, or no actions", framework)
	}
	return withFastPath(wholeNumbers{generating{server, p}}), nil
}

// leaveTerminationToParent ignores SIGTERM while the Terraform that started this process is alive. A signal to the
// whole process group, as timeout(1), systemd and CI systems send it, reaches Terraform as well, which then stops its
// work. Without the provider it could not, and created objects would be in no state.
func leaveTerminationToParent() {
	parent := os.Getppid()
	terminated := make(chan os.Signal, 1)
	signal.Notify(terminated, syscall.SIGTERM)
	go func() {
		for range terminated {
			if os.Getppid() != parent {
				os.Exit(1)
			}
		}
	}()
}

// gcPercent lets the heap grow further between collections than Go's default of 100: a provider lives for seconds, and
// its allocations are garbage at the end of each request.
const gcPercent = 800

// collectRarely sets gcPercent, unless the environment has a value.
func collectRarely() {
	if os.Getenv("GOGC") == "" {
		debug.SetGCPercent(gcPercent)
	}
}

// logsAreRead reports whether the environment sets the level or the file of any log.
func logsAreRead(environ []string) bool {
	return slices.ContainsFunc(environ, func(variable string) bool {
		name, value, _ := strings.Cut(variable, "=")
		return strings.HasPrefix(name, "TF_LOG") && value != "" && value != logsOff
	})
}

const logsOff = "off"

// silenceLogs suppresses log lines that nobody reads. Without a level in the environment, a provider writes all lines,
// hundreds for each machine, and Terraform parses and drops them, which takes more than a third of the CPU time of a
// plan. The variable for our own logs contains the provider's name.
func silenceLogs(set func(name, value string) error) {
	for _, name := range []string{"TF_LOG_SDK", "TF_LOG_PROVIDER_CLOUDSERVER"} {
		_ = set(name, logsOff) // on failure the lines are written, which does no harm
	}
}
