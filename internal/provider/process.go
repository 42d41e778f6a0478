package provider

import (
	"os"
	"runtime/debug"
	"strings"
)

const (
	// gcPercent lets the heap grow further between collections than Go's 100: a
	// provider lives for seconds, and what it allocates is garbage at the end of
	// each request. Over a thousand machines a third of its CPU went to the
	// collector.
	gcPercent = 400

	// memoryLimit keeps that from costing memory where the heap is large: from
	// here on it is collected more often. In bytes.
	memoryLimit = 56 << 20
)

// Tune prepares this process for serving Terraform, where nobody has said
// otherwise. It changes the whole process, so only main calls it.
func Tune() {
	if os.Getenv("GOGC") == "" && os.Getenv("GOMEMLIMIT") == "" {
		debug.SetGCPercent(gcPercent)
		debug.SetMemoryLimit(memoryLimit)
	}
	silenceLogs(os.Environ(), os.Setenv)
}

// silenceLogs keeps log lines from being written that nobody reads. Without a
// level in the environment a provider writes all of them, hundreds a machine,
// for Terraform to parse and to drop: more than a third of the CPU of a plan.
func silenceLogs(environ []string, set func(name, value string) error) {
	for _, variable := range environ {
		if name, value, _ := strings.Cut(variable, "="); strings.HasPrefix(name, "TF_LOG") && value != "" {
			return
		}
	}
	for _, name := range []string{"TF_LOG_SDK", "TF_LOG_PROVIDER"} {
		_ = set(name, "off") // or the lines are written: no harm
	}
}
