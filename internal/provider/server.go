package provider

import (
	"os"
	"os/signal"
	"runtime/debug"
	"slices"
	"strings"
	"syscall"

	"github.com/hashicorp/terraform-plugin-framework/provider"
	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/hashicorp/terraform-plugin-go/tfprotov6/tf6server"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/fastplan"
)

// Serve serves the provider to the Terraform that started this process or, with debug, to one whose environment refers
// to this process. address is the provider's name in the registry.
func Serve(factory func() provider.Provider, address string, debug bool) error {
	quiet := tune()
	server, err := newServer(factory(), quiet)
	if err != nil {
		return err
	}
	var options []tf6server.ServeOpt
	if debug {
		options = append(options, tf6server.WithManagedDebug())
	} else {
		leaveTerminationToParent()
	}
	return tf6server.Serve(address, func() tfprotov6.ProviderServer { return server }, options...)
}

// Server is everything that the server offers.
type Server = fastplan.Server

// NewServer returns the server without its connection to Terraform.
func NewServer(p provider.Provider) (Server, error) { return newServer(p, false) }

// newServer returns the server of a provider: the framework's, in layers that do what the framework has no hook for. A
// call passes the layers from top to bottom, and its answer from bottom to top. quiet means that nothing is logged.
func newServer(p provider.Provider, quiet bool) (Server, error) {
	server, unchanged, err := fastplan.NewServer(p, quiet)
	if err != nil {
		return nil, err
	}
	layers := []func(Server) Server{
		// Every answer: secrets are hidden, what the framework refuses is said in the provider's words, and more
		// (answers.go).
		func(below Server) Server { return answering{below, p, &schemas{}} },
		// What Terraform generates for an import is what a person would write.
		func(below Server) Server { return generating{below, p} },
		// Each state, import and plan is noted for the other resources. A plan in which nothing changes ends here.
		func(below Server) Server { return newObserving(below, unchanged, p) },
	}
	for _, on := range slices.Backward(layers) {
		server = on(server)
	}
	return server, nil
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
// its allocations are garbage at the end of each request. With a higher value, the process would take over 60 MB. A
// memory limit was tried instead: over a thousand machines the collector ran all the time.
const gcPercent = 250

// tune prepares this process for serving Terraform, unless the environment has its own settings. It affects the whole
// process, and reports whether nothing is logged.
func tune() (quiet bool) {
	if os.Getenv("GOGC") == "" {
		debug.SetGCPercent(gcPercent)
	}
	return silenceLogs(os.Environ(), os.Setenv)
}

// silenceLogs suppresses log lines that nobody reads. Without a level in the environment, a provider writes all lines,
// hundreds for each machine, and Terraform parses and drops them, which takes more than a third of the CPU time of a
// plan. The variable for our own logs contains the provider's name. silenceLogs reports whether nothing is logged.
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
