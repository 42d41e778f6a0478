package invoke_test

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/spf13/pflag"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/acctest"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/command"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/emulator"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/invoke"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/provider"
)

func TestMain(m *testing.M) { acctest.Main(m) }

// shell invokes actions at a service, as a user does.
type shell struct {
	*testing.T
	emulator *acctest.Emulator
	service  http.RoundTripper
	invoked  map[string]bool
	answers  []string // of a person at the terminal; nil: there is no terminal
	asked    int

	meanwhile func() // happens while a person decides
}

// interruption is the answer of a person who presses Ctrl-C.
const interruption = "\x03"

// environment has the provider's settings in the environment.
func environment(t *testing.T) {
	t.Helper()
	t.Setenv("CLOUDSERVER_ENDPOINT", "http://127.0.0.1")
	t.Setenv("CLOUDSERVER_TOKEN", emulator.DemoAPIKey)
	t.Setenv("CLOUDSERVER_ACCOUNT", emulator.DemoAccount)
}

// invoke invokes an action, and returns what was printed.
func (s *shell) invoke(ctx context.Context, line string, flags ...string) (printed string, err error) {
	s.Helper()
	set := pflag.NewFlagSet("", pflag.ContinueOnError)
	options := invoke.Register(set)
	if err := set.Parse(append(flags, strings.Split(line, " ")...)); err != nil {
		s.Fatal(err)
	}
	factory := provider.NewWithTransport("1.4.2", s.service)
	actions, err := invoke.Actions(ctx, factory)
	if err != nil {
		s.Fatal(err)
	}
	var said strings.Builder
	streams := command.Streams{Out: &said, Err: &said}
	if s.answers != nil {
		streams.Ask = func(context.Context, string) (string, error) {
			s.asked++
			if s.meanwhile != nil {
				s.meanwhile()
			}
			if s.answers[s.asked-1] == interruption {
				return "", errors.New("interrupted")
			}
			return s.answers[s.asked-1], nil
		}
	}
	for _, action := range actions {
		if action.Name == set.Arg(0) {
			err = action.Run(ctx, options, set.Args()[1:], factory, streams)
			return said.String(), err
		}
	}
	s.Fatalf("there is no action %s", set.Arg(0))
	return "", nil
}

// must invokes an action, and fails the test on an error.
func (s *shell) must(line string, flags ...string) string {
	s.Helper()
	name, _, _ := strings.Cut(line, " ")
	s.invoked[name] = true
	printed, err := s.invoke(s.Context(), line, flags...)
	if err != nil || !strings.Contains(printed, ": done\n") {
		s.Errorf("invoke %s: %v\n%s", line, err, printed)
	}
	return printed
}

// TestActions invokes each action of the provider, on two forms of the service.
func TestActions(t *testing.T) {
	environment(t)
	for name, options := range map[string]emulator.Options{
		"plain": {}, "large IDs, pending raises": {FirstID: 1 << 50, PendingRaises: true, BootTime: time.Second, CopyTime: time.Second},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				_, e := acctest.Drive(t, options, nil)
				s := &shell{T: t, emulator: e, service: e.Transport(), invoked: map[string]bool{}}
				disc := emulator.Disc{Label: "vda", Size: 25600}
				web := e.AddMachine(emulator.DemoAccount, emulator.DefaultGroup, emulator.Machine{Name: "web1", PowerOn: true, Discs: []emulator.Disc{disc, {Label: "data", Size: 5000}}})
				other := e.AddMachine(emulator.DemoAccount, emulator.DefaultGroup, emulator.Machine{Name: "web2", PowerOn: true, Discs: []emulator.Disc{disc}})
				old := e.AddMachine(emulator.DemoAccount, emulator.DefaultGroup, emulator.Machine{Name: "old", Deleted: true, Discs: []emulator.Disc{disc}})
				time.Sleep(5 * time.Second) // until they are described
				discs := machine(t, e, web).Discs
				id := fmt.Sprintf("virtual_machine_id=%d", web)
				boot := fmt.Sprintf("disc_id=%d", discs[0].ID)
				e.ResetJournal()

				s.must("vm_power " + id + " state=stop timeouts.invoke=10m")
				if machine(t, e, web).PowerOn {
					t.Error("the machine is on")
				}
				s.must("vm_power " + id + " state=start")
				s.must("vm_signal " + id + " signal=sendkey key=ctrl-alt-delete")
				taken := s.must("disc_backup " + id + " " + boot)
				backup := regexp.MustCompile(`backup (\d+) is stored`).FindStringSubmatch(taken)
				if backup == nil {
					t.Fatalf("no backup is stored:\n%s", taken)
				}
				s.must("disc_restore "+id+" "+boot+" confirm=true backup_id="+backup[1], "--yes", "--unprotected")
				moved := s.must(fmt.Sprintf("disc_move %s disc_id=%d to=%d allow_stopping=true", id, discs[1].ID, other), "--yes")
				if discs := machine(t, e, other).Discs; len(discs) != 2 || !strings.Contains(moved, "moving disc data") {
					t.Errorf("discs of the other machine: %+v\n%s", discs, moved)
				}
				s.must("vm_reimage "+id+" distribution=noble allow_stopping=true", "--yes", "--unprotected")
				s.must(fmt.Sprintf("vm_undelete virtual_machine_id=%d", old))
				s.answers = []string{"yes"}
				s.must(fmt.Sprintf("vm_reimage virtual_machine_id=%d distribution=noble", old))
				s.answers = nil
				gone := e.AddMachine(emulator.DemoAccount, emulator.DefaultGroup, emulator.Machine{Name: "gone", Deleted: true})
				time.Sleep(5 * time.Second)
				s.must(fmt.Sprintf("vm_purge virtual_machine_id=%d name=gone", gone), "--yes", "--unprotected")
				if _, ok := e.Machine(gone); ok {
					t.Error("the machine is not purged")
				}
				s.all()
			})
		})
	}
}

// all checks that each action was invoked.
func (s *shell) all() {
	s.Helper()
	actions, err := invoke.Actions(s.Context(), provider.New("1.4.2"))
	for _, action := range actions {
		if !s.invoked[action.Name] {
			s.Errorf("%s is not invoked", action.Name)
		}
	}
	if err != nil || len(actions) == 0 {
		s.Errorf("%d actions, %v", len(actions), err)
	}
}

func machine(t *testing.T, e *acctest.Emulator, id int64) emulator.Machine {
	t.Helper()
	m, ok := e.Machine(id)
	if !ok {
		t.Fatalf("no machine %d", id)
	}
	return m
}

// TestConfirmation: an action that takes data from a machine shows what, and sends nothing without a person's yes, or
// the flags in its place.
func TestConfirmation(t *testing.T) {
	environment(t)
	state := func(name string, machines ...string) string {
		file := filepath.Join(t.TempDir(), name)
		content := `{"format_version":"1.0","values":{"root_module":{"child_modules":[{"resources":[` + strings.Join(machines, ",") + `]}]}}}`
		if err := os.WriteFile(file, []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
		return file
	}
	resource := func(id int64, protected bool) string {
		return fmt.Sprintf(`{"address":"cloudserver_vm.a","mode":"managed","type":"cloudserver_vm","name":"a","values":{"id":"%d","deletion_protection":%t}}`, id, protected)
	}
	const nobody, yes = "Nothing was done, because nobody can be asked", "yes"
	for name, test := range map[string]struct {
		answers   []string
		flags     []string
		inState   *bool // deletion_protection
		other     bool  // the state has another machine alone
		moves     bool  // the action moves a disc, which loses nothing
		says      string
		permitted bool
	}{
		"a person says yes":                      {answers: []string{yes}, permitted: true},
		"a person says y":                        {answers: []string{"y"}, says: "Nothing was done, because it was not confirmed."},
		"a person says nothing":                  {answers: []string{""}, says: "it was not confirmed"},
		"a person presses Ctrl-C":                {answers: []string{interruption}, says: "Nothing was done: interrupted."},
		"a person, and the state protects":       {answers: []string{yes}, inState: new(true), says: "deletion_protection is true for the existing machine"},
		"nobody":                                 {says: nobody},
		"nobody, unprotected":                    {flags: []string{"--unprotected"}, says: nobody},
		"yes":                                    {flags: []string{"--yes"}, says: "Add --state"},
		"yes, unprotected":                       {flags: []string{"--yes", "--unprotected"}, permitted: true},
		"yes at a terminal":                      {answers: []string{}, flags: []string{"--yes"}, says: "Add --state"},
		"yes, a state that protects":             {flags: []string{"--yes"}, inState: new(true), says: "deletion_protection is true"},
		"yes, a state that does not":             {flags: []string{"--yes"}, inState: new(false), permitted: true},
		"yes, a state without the machine":       {flags: []string{"--yes"}, inState: new(false), other: true, says: "has no virtual machine"},
		"yes, a state and unprotected":           {flags: []string{"--yes", "--unprotected"}, inState: new(false), says: "contradict each other"},
		"a disc is moved, and nobody":            {moves: true, says: "add --yes."},
		"a disc is moved, yes":                   {moves: true, flags: []string{"--yes"}, permitted: true},
		"a disc is moved, and a person says yes": {moves: true, answers: []string{yes}, permitted: true},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				_, e := acctest.Drive(t, emulator.Options{}, nil)
				s := &shell{T: t, emulator: e, service: e.Transport(), answers: test.answers}
				discs := []emulator.Disc{{Label: "vda", Size: 25600}, {Label: "data", Size: 5000}}
				id := e.AddMachine(emulator.DemoAccount, emulator.DefaultGroup, emulator.Machine{Name: "web1", Discs: discs})
				other := e.AddMachine(emulator.DemoAccount, emulator.DefaultGroup, emulator.Machine{Name: "web2"})
				if test.inState != nil {
					of := id
					if test.other {
						of = other
					}
					test.flags = append(test.flags, "--state", state("state.json", resource(of, *test.inState)))
				}
				shown, line := machine(t, e, id).Discs[0], fmt.Sprintf("vm_reimage virtual_machine_id=%d distribution=noble", id)
				if test.moves {
					shown = machine(t, e, id).Discs[1]
					line = fmt.Sprintf("disc_move virtual_machine_id=%d disc_id=%d to=%d", id, shown.ID, other)
				}
				e.ResetJournal()
				printed, err := s.invoke(t.Context(), line, test.flags...)
				if err != nil && err.Error() != "" {
					printed += err.Error()
				}
				if (err == nil) != test.permitted || !strings.Contains(printed, test.says) {
					t.Errorf("%v, want it to say %q:\n%s", err, test.says, printed)
				}
				sent := 0
				for _, request := range e.Journal() {
					if request.Method != http.MethodGet {
						sent++
					}
				}
				if (sent > 0) != test.permitted {
					t.Errorf("%d requests were sent that change something:\n%s", sent, printed)
				}
				if test.permitted || test.says == nobody {
					wants := []string{
						"account          demo\n", "group            default\n", fmt.Sprintf("virtual machine  web1 (ID %d)\n", id),
						fmt.Sprintf("disc             %s (ID %d, %d MB)\n", shown.Label, shown.ID, shown.Size), "what happens     ",
					}
					if test.moves {
						wants = append(wants, fmt.Sprintf("moves to         web2 (ID %d)\n", other))
					}
					for _, want := range wants {
						if !strings.Contains(printed, want) {
							t.Errorf("%q is not shown in\n%s", want, printed)
						}
					}
				}
			})
		})
	}
}

// TestWhatHappensWhileAPersonDecides: a machine is switched off before somebody says yes. It stays off after the action.
func TestWhatHappensWhileAPersonDecides(t *testing.T) {
	environment(t)
	synctest.Test(t, func(t *testing.T) {
		_, e := acctest.Drive(t, emulator.Options{}, nil)
		id := e.AddMachine(emulator.DemoAccount, emulator.DefaultGroup, emulator.Machine{
			Name: "web1", PowerOn: true, AutorebootOn: true, Discs: []emulator.Disc{{Label: "vda", Size: 25600}, {Label: "data", Size: 5000}},
		})
		other := e.AddMachine(emulator.DemoAccount, emulator.DefaultGroup, emulator.Machine{Name: "web2"})
		s := &shell{T: t, emulator: e, service: e.Transport(), answers: []string{"yes"}, meanwhile: func() {
			time.Sleep(time.Minute)
			if err := e.Change(id, func(m *emulator.Machine) { m.PowerOn, m.AutorebootOn = false, false }); err != nil {
				t.Error(err)
			}
		}}
		line := fmt.Sprintf("disc_move virtual_machine_id=%d disc_id=%d to=%d allow_stopping=true", id, machine(t, e, id).Discs[1].ID, other)
		if printed, err := s.invoke(t.Context(), line); err != nil {
			t.Fatalf("%v\n%s", err, printed)
		}
		if m := machine(t, e, id); m.PowerOn || len(m.Discs) != 1 {
			t.Errorf("on: %t, with %d discs", m.PowerOn, len(m.Discs))
		}
	})
}

// TestRefusals: mistakes in the values are those of the command line, and what Terraform would refuse is refused in the
// same words, once.
func TestRefusals(t *testing.T) {
	environment(t)
	synctest.Test(t, func(t *testing.T) {
		_, e := acctest.Drive(t, emulator.Options{}, nil)
		s := &shell{T: t, emulator: e, service: e.Transport()}
		id := e.AddMachine(emulator.DemoAccount, emulator.DefaultGroup, emulator.Machine{Name: "web1", PowerOn: true})
		gone := e.AddMachine(emulator.DemoAccount, emulator.DefaultGroup, emulator.Machine{Name: "gone", Deleted: true})
		e.ResetJournal()
		at := fmt.Sprintf(" virtual_machine_id=%d", id)
		for line, test := range map[string]struct {
			says   string
			status int
		}{
			"vm_power 1234":                      {`"1234" is not a value such as `, 2},
			"vm_power" + at + " stat=stop":       {`vm_power has no argument "stat". Did you mean state? It has state, virtual_machine_id, `, 2},
			"vm_power" + at:                      {"vm_power needs state=…", 2},
			"vm_power":                           {"vm_power needs state=… and virtual_machine_id=….", 2},
			"vm_power" + at + at + " state=stop": {"virtual_machine_id is given twice, and has one value", 2},
			"vm_reimage" + at + " allow_stopping=yes distribution=":         {`allow_stopping is "yes", and must be true or false`, 2},
			"vm_power" + at + " state=stop timeouts.invok=1m":               {`has no argument "timeouts.invok". Did you mean timeouts.invoke?`, 2},
			"vm_power" + at + " state=rest":                                 {"Error: Invalid value\n\n  with state\n", 1},
			"vm_power" + at + " state=stop timeouts.invoke=soon":            {"\n  with timeouts.invoke\n", 1},
			"vm_power virtual_machine_id=web1 state=stop":                   {"It must be a numeric ID", 1},
			"vm_reimage" + at + " distribution=nobel":                       {`Did you mean "noble"`, 1},
			"vm_purge" + at + " name=web1":                                  {"The machine is not soft-deleted.", 1},
			fmt.Sprintf("vm_power virtual_machine_id=%d state=start", gone): {fmt.Sprintf("Undelete it first, with terraform-provider-cloudserver invoke vm_undelete virtual_machine_id=%d.", gone), 1},
		} {
			printed, err := s.invoke(t.Context(), line)
			coded, ok := err.(interface{ ExitCode() int })
			if !ok || coded.ExitCode() != test.status {
				t.Errorf("%s: %v, want exit status %d\n%s", line, err, test.status, printed)
				continue
			}
			if all := printed + err.Error(); strings.Count(all, test.says) != 1 || strings.Count(err.Error(), "\n") > 5 {
				t.Errorf("%s does not say %q once:\n%s", line, test.says, all)
			}
		}
		acctest.ExpectCalls(t, e)
	})
}

// TestInterrupt: an interrupt ends an action as it ends an apply. The machine gets back its power.
func TestInterrupt(t *testing.T) {
	environment(t)
	synctest.Test(t, func(t *testing.T) {
		_, e := acctest.Drive(t, emulator.Options{BootTime: 30 * time.Second, ShutdownTime: 10 * time.Second}, nil)
		s := &shell{T: t, emulator: e, service: e.Transport()}
		id := e.AddMachine(emulator.DemoAccount, emulator.DefaultGroup, emulator.Machine{Name: "web1", PowerOn: true})
		ctx, interrupt := context.WithTimeout(t.Context(), 5*time.Second)
		defer interrupt()
		printed, err := s.invoke(ctx, fmt.Sprintf("vm_power virtual_machine_id=%d state=restart", id))
		if err != command.Failed(130) || !strings.Contains(printed, "vm_power: interrupted; waiting") || !strings.Contains(printed, "Error: Cannot restart virtual machine") { //nolint:errorlint // the command's own error
			t.Errorf("%v\n%s", err, printed)
		}
		time.Sleep(time.Minute)
		if !machine(t, e, id).PowerOn {
			t.Errorf("the machine is off\n%s", printed)
		}
	})
}
