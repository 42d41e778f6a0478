// SPDX-License-Identifier: MPL-2.0

package harness

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/hashicorp/terraform-plugin-testing/helper/resource"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/acctest"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/cmd"
)

// yes answers the question before the first write.
var yes = flag.Bool("yes", os.Getenv("ACC_YES") != "", "do not ask before the first write (or set ACC_YES)")

// What all tests of this process use.
var (
	service    *Service
	documented clauses
	own        cli
)

// Main is the TestMain of the acceptance tests. document is the path of API.md. As everywhere, the tests run only where
// TF_ACC is set, so that `go test ./...` is short and touches no service.
func Main(m *testing.M, document string) {
	flag.Parse()
	if os.Getenv(resource.EnvTfAcc) == "" {
		_, _ = fmt.Fprintln(os.Stderr, "testacc: no test was run: use make testacc, or set TF_ACC=1")
		return
	}
	clean, err := prepare(context.Background(), document)
	if err != nil {
		_, _ = fmt.Fprintln(os.Stderr, "testacc:", errors.Join(err, clean()))
		os.Exit(1)
	}
	r := &run{tests: m, clean: clean, began: time.Now()}
	go r.endAtSignal()
	resource.TestMain(r) // it runs the tests, or with -sweep the sweepers, and exits
}

// prepare finds the CLI and the service, and asks.
func prepare(ctx context.Context, document string) (clean func() error, err error) {
	clean = func() error { return nil }
	sweeping := flag.Lookup("sweep").Value.String() != ""
	if sweeping && !named() {
		return clean, errors.New("a sweep needs the service in CLOUDSERVER_ENDPOINT and the other variables")
	}
	if documented, err = readClauses(document); err != nil {
		return clean, err
	}
	keep := []string{resource.EnvTfAcc}
	if named() {
		keep = append(keep, "CLOUDSERVER_")
	}
	if clean, err = acctest.Prepare(keep...); err != nil {
		return clean, err
	}
	if own, err = newCLI(); err != nil {
		return clean, err
	}
	if service, err = open(ctx); err != nil {
		return clean, err
	}
	if !service.named || *yes {
		return clean, nil
	}
	return clean, confirm(ctx, askAtTerminal, service.question(sweeping))
}

func (s *Service) question(sweeping bool) string {
	where := fmt.Sprintf("in account %s at %s", s.chosen[Account], s.title)
	if sweeping {
		return fmt.Sprintf("This purges every machine and group whose name begins with %q %s. Continue? [y/N] ", Prefix, where)
	}
	return fmt.Sprintf("These tests create machines, groups, backups and reverse names %s, which may cost money.\n"+
		"All names begin with %q, and all is removed at the end. Continue? [y/N] ", where, s.prefix)
}

// confirm returns an error unless the answer is yes.
func confirm(ctx context.Context, ask func(context.Context, string) (string, error), question string) error {
	answer, err := ask(ctx, question)
	if err != nil {
		return fmt.Errorf("nothing was done: the tests ask before they write (%w): run make testacc YES=1, or set ACC_YES=1", err)
	}
	if answer = strings.ToLower(answer); answer != "y" && answer != "yes" {
		return errors.New("nothing was done: not confirmed")
	}
	return nil
}

// askAtTerminal asks the person at the terminal. The streams of a test are not connected to it.
func askAtTerminal(ctx context.Context, question string) (string, error) {
	terminal, err := os.OpenFile("/dev/tty", os.O_RDWR, 0)
	if err != nil {
		return "", errors.New("there is no terminal")
	}
	defer terminal.Close() //nolint:errcheck // it was only read
	return cmd.AskAt(terminal, terminal)(ctx, question, false)
}

// run is the tests, and what follows them.
type run struct {
	tests *testing.M
	clean func() error
	began time.Time
	end   sync.Once
}

// Run implements the interface of resource.TestMain.
func (r *run) Run() int {
	code := r.tests.Run()
	return r.finish(code)
}

// finish removes what tests have left, and writes the report. Only the first call has an effect; others wait for ever,
// because it is followed by the end of the process.
func (r *run) finish(code int) int {
	first := false
	r.end.Do(func() { first = true })
	if !first {
		select {}
	}
	service.gate.close()
	removed, err := sweep(context.Background(), service.client, service.chosen[Account], service.prefix)
	if len(removed) > 0 && code == 0 {
		err = errors.Join(err, fmt.Errorf("tests have left %s", listed(removed)))
	}
	err = errors.Join(err, service.write(service.text(own.name, time.Since(r.began), listed(removed))), r.clean())
	if err != nil {
		service.say("%v", err)
		return max(code, 1)
	}
	return code
}

// endAtSignal ends the run at the first signal, after everything is removed. A second signal ends it at once.
func (r *run) endAtSignal() {
	signals := make(chan os.Signal, 2)
	signal.Notify(signals, os.Interrupt, syscall.SIGTERM)
	<-signals
	service.say("interrupted: removing what this run has created; another Ctrl-C leaves it there")
	go func() {
		<-signals
		service.say("machines and groups whose names begin with %q may be left: make testacc SWEEP=%s removes them",
			service.prefix, service.chosen[Account])
		os.Exit(cmd.ExitInterrupted)
	}()
	os.Exit(r.finish(cmd.ExitInterrupted))
}

// cli is the CLI at hand.
type cli struct {
	name     string // with its version
	openTofu bool
	minor    int // of version 1
}

func newCLI() (cli, error) {
	output, err := exec.CommandContext(context.Background(), acctest.CLI(), "version").Output()
	if err != nil {
		return cli{}, err
	}
	var found cli
	found.name, _, _ = strings.Cut(string(output), "\n")
	var product string // "Terraform" or "OpenTofu"
	_, err = fmt.Sscanf(found.name, "%s v1.%d", &product, &found.minor)
	found.openTofu = product == "OpenTofu"
	return found, err
}

// hasActions reports whether the CLI has actions and queries.
func (c cli) hasActions() bool { return !c.openTofu && c.minor >= 14 }

// hasIdentity reports whether the CLI imports by identity.
func (c cli) hasIdentity() bool { return c.minor >= 12 }
