package provider

import (
	"os"
	"os/signal"
	"runtime/debug"
	"strings"
	"syscall"

	"github.com/hashicorp/terraform-plugin-framework/provider"
	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/hashicorp/terraform-plugin-go/tfprotov6/tf6server"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/fastplan"
)

// Serve serves the provider to the Terraform that started this process, or with
// debug to one whose environment says how to reach it. Address is the provider's name in
// the registry.
func Serve(factory func() provider.Provider, address string, debug bool) error {
	quiet := tune()
	var options []tf6server.ServeOpt
	if debug {
		options = append(options, tf6server.WithManagedDebug())
	} else {
		leaveTerminationToParent()
	}
	return tf6server.Serve(address, func() tfprotov6.ProviderServer {
		return newServer(factory(), quiet)
	}, options...)
}

// NewServer returns the server that Terraform talks to, for tests.
func NewServer(p provider.Provider) tfprotov6.ProviderServer {
	return newServer(p, false)
}

// wholeServer is everything that the server offers. Without the embedded interfaces
// Terraform would see no list resources and no actions.
type wholeServer interface {
	tfprotov6.ProviderServerWithListResource //nolint:staticcheck // until ProviderServer has its methods
	tfprotov6.ProviderServerWithActions      //nolint:staticcheck // until ProviderServer has its methods
}

// newServer returns the server of a provider: the framework's, with what it has no hook
// for. With quiet, nothing is logged.
func newServer(p provider.Provider, quiet bool) tfprotov6.ProviderServer {
	server := fastplan.NewServer(p, quiet)
	if whole, ok := server.(wholeServer); ok {
		return throttled{generating{newObserving(counting{whole, p}, p), p}, p}
	}
	return server
}

// leaveTerminationToParent ignores a SIGTERM while the Terraform that started this
// process lives. Who signals the whole process group, as timeout(1), systemd and CI
// systems do, has told Terraform as well, which stops the work: without the provider
// it could not, and what was created would be in no state.
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

// gcPercent lets the heap grow further between collections than Go's 100: a
// provider lives for seconds, and what it allocates is garbage at the end of each
// request. With more, the process would take over 60 MB. A limit on the memory as a whole was tried: over a thousand machines
// the collector ran all the time to keep it.
const gcPercent = 250

// tune prepares this process for serving Terraform, unless the environment says
// otherwise. It changes the whole process, and reports whether nothing is logged.
func tune() (quiet bool) {
	if os.Getenv("GOGC") == "" {
		debug.SetGCPercent(gcPercent)
	}
	return silenceLogs(os.Environ(), os.Setenv)
}

// silenceLogs prevents log lines that nobody reads. Without a level in the
// environment a provider writes all of them, hundreds for each machine, and
// Terraform parses and drops them: more than a third of the CPU time of a plan. The
// variable of our own logs contains the provider's name. It reports whether nothing
// is logged.
func silenceLogs(environ []string, set func(name, value string) error) bool {
	for _, variable := range environ {
		if name, value, _ := strings.Cut(variable, "="); strings.HasPrefix(name, "TF_LOG") && value != "" {
			return false
		}
	}
	for _, name := range []string{"TF_LOG_SDK", "TF_LOG_PROVIDER_CLOUDSERVER"} {
		_ = set(name, "off") // on failure the lines are written, which does no harm
	}
	return true
}
