// SPDX-License-Identifier: MPL-2.0

package harness

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/cloudserver"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/emulator"
)

// newService returns a service with the client of an emulator.
func newService(t *testing.T, e *emulator.Emulator) *Service {
	t.Helper()
	s := &Service{
		title: "https://api.example.com", named: true, prefix: Prefix + "run-", gate: &gate{service: e.Transport()},
		chosen: map[Choice]string{Account: emulator.DemoAccount, Group: emulator.DefaultGroup}, secrets: []string{"hush-hush"},
	}
	var err error
	config := cloudserver.Config{Endpoint: "http://127.0.0.1", Token: emulator.DemoAPIKey, Transport: e.Transport()}
	if s.client, err = cloudserver.New(config); err != nil {
		t.Fatal(err)
	}
	return s
}

// TestHabits: every emulator has all that tests may need, so that none is skipped there.
func TestHabits(t *testing.T) {
	opened := func(name string) (*Service, error) {
		t.Setenv("ACC_HABITS", name)
		for _, variable := range []string{
			"CLOUDSERVER_ENDPOINT", "CLOUDSERVER_TOKEN", "CLOUDSERVER_USERNAME", "CLOUDSERVER_PASSWORD", "CLOUDSERVER_ACCOUNT", "CLOUDSERVER_GROUP",
		} {
			t.Setenv(variable, "")
		}
		return open(t.Context())
	}
	for name := range allHabits {
		s, err := opened(name)
		if err != nil {
			t.Fatalf("%q: %v", name, err)
		}
		for choice := range lacks {
			if s.chosen[choice] == "" {
				t.Errorf("the emulator %q has no %s", name, choice)
			}
		}
	}
	if _, err := opened("strange"); err == nil || !strings.Contains(err.Error(), "the habits are seeded, slow, terse, verbose") {
		t.Errorf("unknown habits: %v", err)
	}
}

// TestChoose: what an operator sets comes first, then a well-known distribution. What a service lacks is empty.
func TestChoose(t *testing.T) {
	t.Parallel()
	offered := &cloudserver.Definitions{Names: map[string][]string{
		cloudserver.Distributions: {"odd", "noble", "bookworm"}, cloudserver.HardwareProfiles: {"virtio2011", "virtio2013"},
	}}
	chosen := choose(func(choice Choice) string { return map[Choice]string{Zone: "york"}[choice] }, offered)
	want := map[Choice]string{
		Zone: "york", Distribution: "bookworm", OtherDistribution: "noble", HardwareProfile: "virtio2013", OtherHardwareProfile: "", Keymap: "",
	}
	for choice, value := range want {
		if chosen[choice] != value {
			t.Errorf("%s is %q, want %q", choice, chosen[choice], value)
		}
	}
}

// TestConfirm: nothing is written without a yes.
func TestConfirm(t *testing.T) {
	t.Parallel()
	for answer, want := range map[string]string{"y": "", "Yes": "", "": "not confirmed", "no": "not confirmed"} {
		err := confirm(t.Context(), func(context.Context, string) (string, error) { return answer, nil }, "?")
		if (err == nil) != (want == "") || err != nil && !strings.Contains(err.Error(), want) {
			t.Errorf("the answer %q: %v", answer, err)
		}
	}
	err := confirm(t.Context(), func(context.Context, string) (string, error) { return "", errors.New("there is no terminal") }, "?")
	if err == nil || !strings.Contains(err.Error(), "ACC_YES=1") {
		t.Errorf("without a terminal: %v", err)
	}
}

// TestSweep: what has the prefix is removed, wherever it is, and nothing else.
func TestSweep(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		e := emulator.New(emulator.Options{})
		s := newService(t, e)
		e.AddGroup(emulator.DemoAccount, Prefix+"group", false)
		e.AddMachine(emulator.DemoAccount, Prefix+"group", emulator.Machine{Name: Prefix + "web4"})
		e.AddMachine(emulator.DemoAccount, emulator.PrivateGroup, emulator.Machine{Name: Prefix + "web1"})
		e.SoftDelete(e.AddMachine(emulator.DemoAccount, emulator.DefaultGroup, emulator.Machine{Name: Prefix + "web2"}))
		e.AddMachine(emulator.DemoAccount, emulator.DefaultGroup, emulator.Machine{Name: "web3"})

		removed, err := sweep(t.Context(), s.client, emulator.DemoAccount, Prefix)
		if err != nil || len(removed) != 4 {
			t.Errorf("removed %q, %v", removed, err)
		}
		if left := e.Machines(); len(left) != 1 || left[0].Name != "web3" {
			t.Errorf("machines left: %+v", left)
		}
		if groups := e.GroupNames(emulator.DemoAccount); !slices.Equal(groups, []string{emulator.DefaultGroup, emulator.PrivateGroup}) {
			t.Errorf("groups left: %q", groups)
		}
	})
}

// TestInterrupt: the requests that have begun are answered first, no other one is sent, and what they created is removed.
func TestInterrupt(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		e := emulator.New(emulator.Options{Latency: 10 * time.Second})
		s := newService(t, e)
		service = s
		t.Setenv("ACC_REPORT", filepath.Join(t.TempDir(), "report"))
		creating, err := cloudserver.New(cloudserver.Config{Endpoint: "http://127.0.0.1", Token: emulator.DemoAPIKey, Transport: s.gate})
		if err != nil {
			t.Fatal(err)
		}
		go func() { _, _ = creating.CreateGroup(t.Context(), emulator.DemoAccount, s.prefix+"team") }()
		time.Sleep(15 * time.Second) // it has looked the name up, and its POST is under way
		r := &run{clean: func() error { return nil }, began: time.Now()}
		if code := r.finish(130); code != 130 {
			t.Errorf("the exit status is %d", code)
		}
		if groups := e.GroupNames(emulator.DemoAccount); slices.Contains(groups, s.prefix+"team") {
			t.Errorf("groups left: %q", groups)
		}
		if _, err := creating.Groups(t.Context(), emulator.DemoAccount); err == nil || !strings.Contains(err.Error(), "interrupted") {
			t.Errorf("a request after the interrupt: %v", err)
		}
		text, err := os.ReadFile(os.Getenv("ACC_REPORT"))
		if err != nil || !strings.Contains(string(text), "removed: group "+s.prefix+"team") {
			t.Errorf("%v, the report:\n%s", err, text)
		}
		time.Sleep(time.Hour)
	})
}

// TestReport: a failure names the clauses of its step, and has no secret. What was skipped says why.
func TestReport(t *testing.T) {
	t.Parallel()
	s := newService(t, emulator.New(emulator.Options{}))
	found, err := readClauses("../../cloudserver/API.md")
	if err != nil {
		t.Fatal(err)
	}
	failed := s.report.add("TestAccChange_renamed")
	failed.clauses, failed.status = []string{"3.5"}, "FAILED"
	r := &reporter{
		T: t, test: &Test{Service: s, result: failed}, document: found,
		steps: []Step{{clauses: []string{"7.1"}}, {clauses: []string{"3.5"}}}, at: 1,
	}
	for text, want := range map[string]string{
		"Step 2/2 error: hush-hush":                                        "API.md §3.5 may not hold: *(reference)* `PUT",
		"Error running post-test destroy, there may be dangling resources": "API.md §3.6 may not hold: *(reference)* `DELETE",
	} {
		if got := r.explain(text); !strings.Contains(got, want) || strings.Contains(got, "hush") {
			t.Errorf("the failure is\n%s\nwant %q", got, want)
		}
	}
	s.gate.close()
	if got := r.explain("the tests were interrupted"); strings.Contains(got, "API.md") {
		t.Errorf("after an interrupt a failure blames the service:\n%s", got)
	}
	skipped := s.report.add("TestAccAddresses_private")
	skipped.status, skipped.why = "skipped", []string{lacks[PrivateGroup]}
	s.report.add("TestAccGroup_life")
	report := s.text("OpenTofu v1.12.6", time.Minute, "nothing")
	for _, want := range []string{
		"https://api.example.com", "FAILED   TestAccChange_renamed", "Step 2/2 error: (secret)", "set ACC_PRIVATE_GROUP",
		"0 ok, 1 failed, 1 skipped, 1 cut off in 1m0s",
	} {
		if !strings.Contains(report, want) {
			t.Errorf("the report lacks %q:\n%s", want, report)
		}
	}
}

// TestSecrets: neither a token in a file nor a password is in the output.
func TestSecrets(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "token")
	if err := os.WriteFile(file, []byte("of-a-file\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	got := secrets(cloudserver.Config{TokenFile: file, Password: "of-a-user"}, "of-root")
	if !slices.Equal(got, []string{"of-a-file", "of-a-user", "of-root"}) {
		t.Errorf("the secrets are %q", got)
	}
}
