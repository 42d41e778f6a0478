// SPDX-License-Identifier: MPL-2.0

package invoke_test

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/acctest"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/cmd"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/emulator"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/invoke"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/provider"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/vmaction"
)

func TestMain(m *testing.M) { acctest.Main(m) }

// person is who sits at the terminal, or nobody.
type person struct {
	answer   string // "": nobody
	asked    int
	question string
}

func (p *person) ask(_ context.Context, question string, _ bool) (string, error) {
	p.asked++
	p.question = question
	if p.answer == "" {
		return "", errors.New("the standard input is not a terminal")
	}
	return p.answer, nil
}

// terminal shows what is printed. An interrupt is reported while the action prints its progress.
type terminal struct {
	mu   sync.Mutex
	said strings.Builder
}

func (o *terminal) Write(text []byte) (int, error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.said.Write(text)
}

func (o *terminal) String() string {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.said.String()
}

// run invokes an action as a command line has it, and returns what was printed.
func run(ctx context.Context, t *testing.T, e *acctest.Emulator, line string, yes bool, p *person) (string, error) {
	t.Helper()
	t.Setenv("CLOUDSERVER_ENDPOINT", "http://127.0.0.1")
	t.Setenv("CLOUDSERVER_TOKEN", emulator.DemoAPIKey)
	t.Setenv("CLOUDSERVER_ACCOUNT", emulator.DemoAccount)
	server, err := provider.NewServer(provider.New("1.4.2", provider.WithInvokeAdvice(), provider.WithTransport(e.Transport()))())
	if err != nil {
		t.Fatal(err)
	}
	actions, err := invoke.Actions(ctx, server)
	if err != nil {
		t.Fatal(err)
	}
	words := strings.Fields(line)
	for _, action := range actions {
		if action.Name == words[0] {
			said := &terminal{}
			options := invoke.Options{Yes: yes, Env: map[string]string{}}
			words = slices.DeleteFunc(words[1:], func(word string) bool {
				assignment, ok := strings.CutPrefix(word, "--env=")
				if ok {
					argument, variable, _ := strings.Cut(assignment, "=")
					options.Env[argument] = variable
				}
				return ok
			})
			err := action.Run(ctx, words, options, cmd.Streams{Err: said, Ask: p.ask})
			return said.String(), err
		}
	}
	t.Fatalf("there is no action %s", words[0])
	return "", nil
}

func start(t *testing.T, options emulator.Options) (e *acctest.Emulator, id int64) {
	t.Helper()
	_, e = acctest.Drive(t, options, nil)
	id = e.AddMachine(emulator.DemoAccount, emulator.DefaultGroup, emulator.Machine{
		Name: "web1", PowerOn: true, AutorebootOn: true, Discs: []emulator.Disc{{Label: "vda", Size: 25600}},
	})
	time.Sleep(5 * time.Second) // until it is described
	e.ResetJournal()
	return e, id
}

// TestInvoke: texts, booleans and blocks reach the action, and its progress is shown.
func TestInvoke(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		e, id := start(t, emulator.Options{})
		line := fmt.Sprintf("vm_power virtual_machine_id=%d state=stop timeouts.invoke=10m", id)
		said, err := run(t.Context(), t, e, line, false, &person{})
		if machine, _ := e.Machine(id); err != nil || machine.PowerOn || !strings.HasSuffix(said, "vm_power: done\n") {
			t.Errorf("%v, on: %t\n%s", err, machine.PowerOn, said)
		}
		e.SoftDelete(id)
		if _, err := run(t.Context(), t, e, fmt.Sprintf("vm_undelete virtual_machine_id=%d", id), false, &person{}); err != nil {
			t.Error(err)
		}
		if machine, _ := e.Machine(id); machine.Deleted {
			t.Error("the machine is still soft-deleted")
		}
	})
}

// TestLabelOfADisc: a disc is given by its label, as a machine by its name.
func TestLabelOfADisc(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		e, _ := start(t, emulator.Options{})
		if said, err := run(t.Context(), t, e, "disc_backup virtual_machine_id=demo/default/web1 disc_id=vda", false, &person{}); err != nil {
			t.Errorf("%v\n%s", err, said)
		}
	})
}

// TestSecretsOfAnImage: a machine that is given by its name is reimaged with secrets of the environment. A refusal shows
// neither.
func TestSecretsOfAnImage(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		e, id := start(t, emulator.Options{})
		t.Setenv("ROOT", "marker-password")
		t.Setenv("SCRIPT", "#!/bin/sh\necho marker-script\n")
		const line = "vm_reimage virtual_machine_id=demo/default/web1 distribution=noble allow_stopping=true " +
			"--env=root_password=ROOT --env=firstboot_script=SCRIPT"
		said, err := run(t.Context(), t, e, line, true, &person{})
		machine, _ := e.Machine(id)
		sum := fmt.Sprintf("%x", sha256.Sum256([]byte("marker-password")))
		if err != nil || machine.Images != 1 || machine.RootPasswordSHA256 != sum || machine.FirstbootScriptSHA256 == "" {
			t.Errorf("%v, %+v", err, machine)
		}
		if strings.Contains(said, "marker") || strings.Contains(said, "Nobody can log in") {
			t.Error(said)
		}
		e.Inject(emulator.Fault{
			Status: 400, Body: `{"root_password":["marker-password is weak"],"distribution":["echo marker-script"]}`,
			Match: func(r emulator.Request) bool { return strings.HasSuffix(r.Path, "/reimage") },
		})
		if said, err = run(t.Context(), t, e, line, true, &person{}); err == nil || strings.Contains(fmt.Sprint(err, said), "marker") {
			t.Errorf("%v\n%s", err, said)
		}
	})
}

// TestConfirmation: an action that loses data asks, or takes --yes. Otherwise nothing is sent.
func TestConfirmation(t *testing.T) {
	for name, test := range map[string]struct {
		answer    string
		yes       bool
		asked     int
		confirmed bool
	}{
		"a person says yes": {answer: "yes", asked: 1, confirmed: true},
		"a person says Y":   {answer: "Y", asked: 1, confirmed: true},
		"a person says no":  {answer: "no", asked: 1},
		"nobody":            {asked: 1},
		"--yes":             {yes: true, confirmed: true},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				e, id := start(t, emulator.Options{})
				p := &person{answer: test.answer}
				line := fmt.Sprintf("vm_reimage virtual_machine_id=%d distribution=noble allow_stopping=true", id)
				said, err := run(t.Context(), t, e, line, test.yes, p)
				sent := len(e.Calls()) > 0
				if (err == nil) != test.confirmed || sent != test.confirmed || p.asked != test.asked {
					t.Errorf("%v, asked %d times, sent: %t\n%s", err, p.asked, sent, said)
				}
				if want := line + " destroys data."; p.asked > 0 && !strings.HasPrefix(p.question, want) {
					t.Errorf("asked %q, want %q", p.question, want)
				}
				if err != nil && !strings.Contains(err.Error(), "nothing was done") {
					t.Error(err)
				}
				if warned := strings.Count(said, "Warning: Nobody can log in"); warned != 1 {
					t.Errorf("warned %d times\n%s", warned, said)
				}
			})
		})
	}
}

// TestLosesData: the actions that ask are actions of the provider.
func TestLosesData(t *testing.T) {
	server, err := provider.NewServer(provider.New("1.4.2")())
	if err != nil {
		t.Fatal(err)
	}
	actions, err := invoke.Actions(t.Context(), server)
	var asking []string
	for _, action := range actions {
		if vmaction.LosesData("cloudserver_" + action.Name) {
			asking = append(asking, action.Name)
		}
	}
	if got := strings.Join(asking, " "); err != nil || got != "disc_backup_delete disc_restore vm_purge vm_reimage" {
		t.Errorf("%s, %v", got, err)
	}
}

// TestRefusals: a mistake in the arguments has exit status 2. What the provider refuses has its words, and status 1.
func TestRefusals(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		e, id := start(t, emulator.Options{})
		at := fmt.Sprintf(" virtual_machine_id=%d", id)
		t.Setenv("TWO_LINES", "marker\n")
		for line, test := range map[string]struct {
			says   string
			status int
		}{
			"vm_power virtual_machine_id=demo/default/no-such state=stop":                               {"no-such", 1},
			"vm_power virtual_machine_id=a/b/c/d state=stop":                                            {"account/group/name", 2},
			"vm_power virtual_machine_id=web1 state=stop":                                               {`virtual_machine_id is "web1", which is neither the ID of a machine, nor group/name`, 2},
			"vm_reimage" + at + " distribution=noble root_password=marker":                              {"root_password is a secret", 2},
			"vm_reimage" + at + " distribution=noble allow_stopping=true --env=root_password=marker":    {"Name a variable", 2},
			"vm_reimage" + at + " distribution=noble allow_stopping=true --env=root_password=TWO_LINES": {"must be one line", 2},
			"disc_backup" + at + " disc_id=data":                                                        {`disc_id is "data", which is neither the ID of a disc, nor the label of one of the machine, which has vda`, 2},
			"disc_restore" + at + " disc_id=vda backup_id=1":                                            {"disc_restore needs confirm=true", 2},
			"vm_power" + at + " state=stop --env=root_password=ROOT":                                    {"--env takes", 2},
			"vm_power 1234":                      {`"1234" is not an argument such as `, 2},
			"vm_power" + at + " stat=stop":       {`vm_power has no argument "stat"; it has state, virtual_machine_id, `, 2},
			"vm_power" + at:                      {"vm_power needs state=…", 2},
			"vm_power" + at + at + " state=stop": {"virtual_machine_id is given twice", 2},
			"vm_reimage" + at + " distribution=noble allow_stopping=often": {`allow_stopping is "often", and a bool is required`, 2},
			"vm_power" + at + " state=rest":                                {`must be one of: ["start" "stop" "restart"]`, 1},
			"vm_reimage" + at + " distribution=nobel":                      {"nobel", 1},
		} {
			said, err := run(t.Context(), t, e, line, true, &person{})
			if err == nil || !strings.Contains(err.Error(), test.says) || cmd.ExitStatus(err) != test.status {
				t.Errorf("%s: %v, want %q and status %d\n%s", line, err, test.says, test.status, said)
			}
			if strings.Contains(fmt.Sprint(err, said), "marker") {
				t.Errorf("%s: %v\n%s", line, err, said)
			}
		}
		acctest.ExpectCalls(t, e)
	})
}

// TestAdvice: what has to be done first is named as this command.
func TestAdvice(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		e, id := start(t, emulator.Options{})
		e.SoftDelete(id)
		_, err := run(t.Context(), t, e, fmt.Sprintf("vm_power virtual_machine_id=%d state=start", id), false, &person{})
		want := fmt.Sprintf("with terraform-provider-cloudserver invoke vm_undelete virtual_machine_id=%d", id)
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("got %v, want %q", err, want)
		}
	})
}

// TestInterrupt: an interrupt ends an action as it ends an apply. The machine gets back its power.
func TestInterrupt(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		e, id := start(t, emulator.Options{BootTime: 30 * time.Second, ShutdownTime: 10 * time.Second})
		ctx, interrupt := context.WithTimeout(t.Context(), 5*time.Second)
		defer interrupt()
		line := fmt.Sprintf("vm_power virtual_machine_id=%d state=restart", id)
		said, err := run(ctx, t, e, line, false, &person{})
		if cmd.ExitStatus(err) != cmd.ExitInterrupted || !strings.Contains(said, "interrupted; waiting") {
			t.Errorf("%v\n%s", err, said)
		}
		time.Sleep(time.Minute)
		if machine, _ := e.Machine(id); !machine.PowerOn {
			t.Errorf("the machine is off\n%s", said)
		}
	})
}
