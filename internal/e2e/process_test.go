// SPDX-License-Identifier: MPL-2.0

package e2e_test

import (
	"bufio"
	"fmt"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/acctest"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/emulator"
)

// TestValidateNeedsNothing: neither an endpoint, nor credentials, nor a service. The driver always has an endpoint.
func TestValidateNeedsNothing(t *testing.T) {
	t.Parallel()
	w := newWorkspace(t, nil)
	w.write("main.tf", requirement+"variable \"token\" {\n  default = null\n}\n"+settings("token    = var.token\nusername = var.token")+machine+"\ndata \"cloudserver_definitions\" \"all\" {}\n")
	if output := w.must("validate", "-no-color"); !strings.Contains(output, "The configuration is valid") {
		t.Errorf("validate says\n%s", output)
	}
}

// TestNoLogIsWrittenForNobody: without a log level, nothing formatted by our loggers or the framework's leaves the
// process of the provider. The driver has none.
func TestNoLogIsWrittenForNobody(t *testing.T) {
	t.Parallel()
	w := newWorkspace(t, acctest.StartEmulator(t, emulator.Options{}))
	program, err := acctest.BuildProvider()
	if err != nil {
		t.Fatal(err)
	}
	w.write("plugins/terraform-provider-cloudserver", fmt.Sprintf("#!/bin/sh\nexec %q \"$@\" 2>>%q\n", program, w.path("provider.log")))
	w.configure(1)
	w.env = append(w.env, "TF_LOG=") // the same as unset
	w.must(command("apply")...)
	logged := func(module string) bool {
		log, err := os.ReadFile(w.path("provider.log"))
		return err == nil && strings.Contains(string(log), `"@module":"`+module)
	}
	if logged("cloudserver") || logged("sdk") {
		t.Error("nobody reads what is logged")
	}
	w.env = append(w.env, "TF_LOG_PROVIDER=TRACE")
	w.must(command("destroy")...)
	if !logged("cloudserver") || !logged("sdk") {
		t.Error("with a level there is no log")
	}
}

// TestTerminationIsTheParents: the process of a provider survives a SIGTERM while the process that started it lives, but
// not after that.
func TestTerminationIsTheParents(t *testing.T) {
	t.Parallel()
	program, err := acctest.BuildProvider()
	if err != nil {
		t.Fatal(err)
	}
	parent := exec.CommandContext(t.Context(), "sh", "-c", `"$0" & echo $!; read -r nothing`, program)
	parent.Env = append(os.Environ(), "TF_PLUGIN_MAGIC_COOKIE=d602bf8f470bc67ca7faa0386276bbdd4330efaf76d1a219cb4d6991ca9872b2", "PLUGIN_PROTOCOL_VERSIONS=6")
	stdin, err := parent.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	stdout, written, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	parent.Stdout = written
	if err := parent.Start(); err != nil {
		t.Fatal(err)
	}
	_ = written.Close() // only the two processes hold it open
	lines := bufio.NewScanner(stdout)
	line := func() string { lines.Scan(); return lines.Text() }
	child, err := strconv.Atoi(line())
	if handshake := line(); err != nil || !strings.Contains(handshake, "|6|") {
		t.Fatalf("the provider says %q, %v", handshake, err)
	}

	ended := make(chan struct{})
	go func() {
		defer close(ended)
		line() // the end of the output
	}()
	provider, err := os.FindProcess(child)
	if err != nil {
		t.Fatal(err)
	}
	terminate := func() {
		if err := provider.Signal(syscall.SIGTERM); err != nil {
			t.Error(err)
		}
	}
	terminate()
	select {
	case <-ended:
		t.Fatal("it ended although its parent lives")
	case <-time.After(300 * time.Millisecond): // processes live in real time
	}
	_ = stdin.Close()
	_ = parent.Wait() // read has no line
	terminate()
	select {
	case <-ended:
	case <-time.After(10 * time.Second):
		t.Error("it outlives its parent")
		_ = provider.Kill()
	}
}
