// SPDX-License-Identifier: MPL-2.0

package e2e_test

import (
	"bytes"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/acctest"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/emulator"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/invoke"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/provider"
)

// policyCase is a change of one machine, and what it loses.
type policyCase struct {
	was, to string   // what the blocks have besides name and boot disc; "gone": no block
	losses  []string // what the policies say of it
	sent    []string // the requests that lose something, as the journal shows them
}

func policyCases() map[string]policyCase {
	const image = `
  reimage {
    distribution = "bookworm"
    revision     = %q
    on_change    = "reimage"
  }`
	const data = `
  disc {
    label = %q
    size  = 5000
  }`
	const off = "\n  power_on = false"
	const mayStop = "\n  allow_stopping_for_update = true"
	const stop, erase, purge, destroy = "stop", "erase", "purge disc", "purge"
	first, second := fmt.Sprintf(image, "1"), fmt.Sprintf(image, "2")
	both, one := fmt.Sprintf(data, "data")+fmt.Sprintf(data, "logs"), fmt.Sprintf(data, "logs")
	return map[string]policyCase{
		"nothing":   {},
		"renamed":   {to: "\n  keymap = \"de\""},
		"restarted": {was: mayStop + "\n  cores = 1", to: mayStop + "\n  cores = 2\n  memory = 4096", losses: []string{"is stopped for cores = 2, memory = 4096"}, sent: []string{stop}},
		"off":       {to: off, losses: []string{"is stopped for power_on = false"}, sent: []string{stop}},
		"purged":    {was: both, to: one, losses: []string{"data is purged"}, sent: []string{purge}},
		"imaged":    {was: first, to: second, losses: []string{"is stopped for revision = 2", "vda is erased for revision = 2"}, sent: []string{stop, erase}},
		"all": {
			was: mayStop + "\n  cores = 1" + first + both, to: mayStop + "\n  cores = 2" + second,
			losses: []string{"data is purged", "is stopped for cores = 2, revision = 2", "logs is purged", "vda is erased for revision = 2"}, sent: []string{stop, purge, purge, erase},
		},
		"unknown": {was: mayStop + "\n  cores = 1", to: mayStop + "\n  cores = terraform_data.new.output", losses: []string{"may stop or lose more, which is known only after apply"}, sent: []string{stop}},
		"partly":  {was: mayStop + "\n  cores = 1" + both, to: mayStop + "\n  cores = terraform_data.new.output" + one, losses: []string{"data is purged", "may stop or lose more, which is known only after apply"}, sent: []string{stop, purge}},
		"first": {
			was: off, to: off + "\n  reimage {\n    distribution = terraform_data.new.output == 2 ? \"noble\" : \"jammy\"\n  }",
			losses: []string{"may stop or lose more, which is known only after apply"}, sent: []string{erase, stop}, // the image starts it
		},
		"replaced": {was: "\n  zone_name = \"york\"", to: "\n  zone_name = \"manchester\"", losses: []string{"is destroyed"}, sent: []string{destroy}},
		"gone":     {to: "gone", losses: []string{"is destroyed"}, sent: []string{destroy}},
	}
}

// TestPolicies plans a change of each kind with the CLI, and has both policies of examples/guides/ci judge the plan as JSON,
// which only the CLI writes. What they say is what the journal of the emulator shows after the apply.
func TestPolicies(t *testing.T) {
	t.Parallel()
	cases := policyCases()
	w := newWorkspace(t, acctest.StartEmulator(t, emulator.Options{}))
	configure := func(more string, of func(policyCase) string) {
		var config strings.Builder
		config.WriteString(requirement + w.service.ProviderBlock() + more)
		for _, name := range slices.Sorted(maps.Keys(cases)) {
			if body := of(cases[name]); body != "gone" {
				fmt.Fprintf(&config, "resource \"cloudserver_vm\" %[1]q {\n  name = \"web-%[1]s\"\n  disc {\n    label = \"vda\"\n    size  = 25600\n  }%[2]s\n}\n", name, body)
			}
		}
		w.write("main.tf", config.String())
	}
	configure("", func(c policyCase) string { return c.was })
	w.must(command("apply")...)
	ids := map[string]string{}
	for _, machine := range w.service.Machines() {
		ids[strconv.FormatInt(machine.ID, 10)] = strings.TrimPrefix(machine.Name, "web-")
	}

	configure("resource \"terraform_data\" \"new\" {\n  input = 2\n}\n", func(c policyCase) string { return c.to })
	w.must("plan", "-no-color", "-out=tfplan")
	plan := w.must("show", "-json", "tfplan")
	var want []string
	for name, c := range cases {
		for _, loss := range c.losses {
			want = append(want, "cloudserver_vm."+name+": "+loss)
		}
	}
	expectLosses(t, plan, want)

	w.service.ResetJournal()
	w.must("apply", "-no-color", "tfplan")
	sent := map[string][]string{}
	for _, request := range w.service.Journal() {
		_, path, _ := strings.Cut(request.Path, "/virtual_machines/")
		id, part, _ := strings.Cut(path, "/")
		if loss := lossOf(request, part); loss != "" {
			sent[ids[id]] = append(sent[ids[id]], loss)
		}
	}
	for name, c := range cases {
		if diff := cmp.Diff(c.sent, sent[name]); diff != "" {
			t.Errorf("%s: -want +sent\n%s", name, diff)
		}
	}
}

// lossOf returns what a request about a part of a machine loses, or "".
func lossOf(request emulator.Request, part string) string {
	switch {
	case part == "signal":
		return "stop"
	case part == "reimage":
		return "erase"
	case request.Method == "DELETE" && part == "":
		return "purge"
	case request.Method == "DELETE" && strings.HasPrefix(part, "discs/"):
		return "purge disc"
	}
	return ""
}

// TestPoliciesKnowActions: both policies list the actions that lose data or may stop a machine, and no others.
func TestPoliciesKnowActions(t *testing.T) {
	t.Parallel()
	server, err := provider.NewServer(provider.New("test")())
	if err != nil {
		t.Fatal(err)
	}
	actions, err := invoke.Actions(t.Context(), server)
	if err != nil {
		t.Fatal(err)
	}
	harmless := []string{"cloudserver_disc_backup", "cloudserver_vm_undelete"}
	var invoked, want []string
	for _, action := range actions {
		typeName := "cloudserver_" + action.Name
		address := "action." + typeName + ".one"
		invoked = append(invoked, fmt.Sprintf(`{"address": %q, "type": %q}`, address, typeName))
		if !slices.Contains(harmless, typeName) {
			want = append(want, address+": is invoked")
		}
	}
	invoked = append(invoked, `{"address": "action.other_run.one", "type": "other_run"}`)
	expectLosses(t, `{"action_invocations": [`+strings.Join(invoked, ", ")+`]}`, want)
}

// TestPoliciesOfAFailedPlan: a plan that has failed has a file all the same, which lacks what has failed.
func TestPoliciesOfAFailedPlan(t *testing.T) {
	t.Parallel()
	expectLosses(t, `{"errored": true, "resource_changes": []}`, []string{"the plan has failed"})
	expectLosses(t, `{"resource_changes": []}`, nil)
}

// expectLosses compares what both policies say of a plan. That of OPA fails if there is a loss.
func expectLosses(t *testing.T, plan string, want []string) {
	t.Helper()
	slices.Sort(want)
	file := filepath.Join(t.TempDir(), "plan.json")
	if err := os.WriteFile(file, []byte(plan), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, policy := range [][]string{
		{"gojq", "-r", "-f", "losses.jq", file},
		{"opa", "eval", "--input", file, "--data", "losses.rego", "--fail-defined", "--format", "raw", "data.cloudserver.losses[_]"},
	} {
		printed, failed := judge(t, policy...)
		got := strings.FieldsFunc(printed, func(r rune) bool { return r == '\n' })
		slices.Sort(got)
		if diff := cmp.Diff(want, got, cmpopts.EquateEmpty()); diff != "" {
			t.Errorf("%s: -want +got\n%s", policy[0], diff)
		}
		if refuses := policy[0] == "opa" && len(want) > 0; failed != refuses {
			t.Errorf("%s fails: %t, with %d losses", policy[0], failed, len(want))
		}
	}
}

// judge has a pinned tool judge a plan, and reports whether that has failed with exit status 1.
func judge(t *testing.T, policy ...string) (printed string, failed bool) {
	t.Helper()
	tool, err := exec.CommandContext(t.Context(), "../tools/tool.sh", policy[0]).Output()
	if err != nil {
		t.Fatal(err)
	}
	command := exec.CommandContext(t.Context(), strings.TrimSpace(string(tool)), policy[1:]...)
	command.Dir = "../../examples/guides/ci"
	var problems bytes.Buffer
	command.Stderr = &problems
	output, err := command.Output()
	if err != nil && command.ProcessState.ExitCode() != 1 {
		t.Fatalf("%s: %v\n%s%s", policy, err, output, problems.String())
	}
	return string(output), err != nil
}
