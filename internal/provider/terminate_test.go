package provider_test

import (
	"bufio"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"
)

// TestTerminationIsTheParents: a provider survives a SIGTERM while the process that
// started it lives, and none after that.
func TestTerminationIsTheParents(t *testing.T) {
	t.Parallel()
	w := newWorkspace(t, "")
	parent := exec.CommandContext(t.Context(), "sh", "-c", `"$0" & echo $!; read -r nothing`, w.provider)
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
