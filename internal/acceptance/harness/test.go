// SPDX-License-Identifier: MPL-2.0

package harness

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	tfjson "github.com/hashicorp/terraform-json"
	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/hashicorp/terraform-plugin-testing/echoprovider"
	"github.com/hashicorp/terraform-plugin-testing/helper/resource"
	"github.com/hashicorp/terraform-plugin-testing/statecheck"
	"github.com/hashicorp/terraform-plugin-testing/terraform"
	"github.com/hashicorp/terraform-plugin-testing/tfjsonpath"
)

// Test is a test against the service.
type Test struct {
	*Service
	t      *testing.T
	prefix string
	result *result
	state  *tfjson.State // after the last step that applied
	fails  *reporter
}

// Step is a step of a test, and the clauses of API.md that it proves.
type Step struct {
	clauses []string
	resource.TestStep
}

// Proves returns a step that proves clauses of API.md, such as "3.5 3.7". When it fails, the test names them.
func Proves(clauses string, step resource.TestStep) Step { return Step{strings.Fields(clauses), step} }

// Begin begins a test, which runs beside others. It is skipped where the service lacks one of its needs.
func Begin(t *testing.T, needs ...Choice) *Test {
	t.Helper()
	a := &Test{Service: service, t: t, result: service.report.add(t.Name())}
	name := strings.TrimPrefix(strings.ToLower(t.Name()), "testacc")
	a.prefix = service.prefix + strings.ReplaceAll(name, "_", "-") // no other test has it
	t.Cleanup(func() {
		switch {
		case t.Skipped():
			a.result.status = "skipped"
		case t.Failed():
			a.result.status = "FAILED"
		default:
			a.result.status = "ok"
		}
	})
	for _, need := range needs {
		if service.chosen[need] != "" {
			continue
		}
		a.result.why = append(a.result.why, lacks[need])
		if !service.named {
			t.Fatal("an emulator lacks nothing, but: " + lacks[need])
		}
		t.Skip(lacks[need])
	}
	t.Parallel()
	return a
}

// Name returns the name that "${local.prefix}-…" is in the configurations of this test.
func (a *Test) Name(suffix string) string { return a.prefix + "-" + suffix }

// Choice returns what is chosen of the service.
func (a *Test) Choice(choice Choice) string { return a.chosen[choice] }

// Run takes the CLI through the steps. Afterwards it destroys what is left, and the service must have nothing of it.
func (a *Test) Run(steps ...Step) {
	a.t.Helper()
	var plain []resource.TestStep
	a.fails = &reporter{T: a.t, test: a, document: documented, steps: steps}
	for number, step := range steps {
		for _, clause := range step.clauses {
			if documented[clause] == "" {
				a.t.Fatalf("API.md has no clause %s", clause)
			}
			if !slices.Contains(a.result.clauses, clause) {
				a.result.clauses = append(a.result.clauses, clause)
			}
		}
		plain = append(plain, a.prepare(number, step.TestStep))
	}
	resource.Test(a.fails, resource.TestCase{
		ProtoV6ProviderFactories: map[string]func() (tfprotov6.ProviderServer, error){
			"cloudserver": a.factory,
			"echo":        echoprovider.NewProviderServer(),
		},
		CheckDestroy: func(*terraform.State) error { return a.nothingIsLeft() },
		Steps:        plain,
	})
}

// prepare adds the local values to the configuration, and keeps the state for later steps.
func (a *Test) prepare(number int, step resource.TestStep) resource.TestStep {
	before := step.PreConfig
	step.PreConfig = func() {
		a.fails.at = number
		if before != nil {
			before()
		}
	}
	if step.Config != "" && !step.Query {
		step.Config += a.locals(a.prefix)
	}
	if step.Config != "" && !step.Query && !step.PlanOnly && !step.ImportState && !step.Destroy {
		step.ConfigStateChecks = append(slices.Clip(step.ConfigStateChecks), keep{a})
	}
	return step
}

// keep is a check that keeps the state, in which there is no password.
type keep struct{ test *Test }

// CheckState implements statecheck.StateCheck.
func (k keep) CheckState(_ context.Context, req statecheck.CheckStateRequest, resp *statecheck.CheckStateResponse) {
	k.test.state = req.State
	text, err := json.Marshal(req.State)
	if err == nil && strings.Contains(string(text), k.test.password) {
		err = errors.New("the state has the root password")
	}
	resp.Error = err
}

// Value returns a value of the last state, such as that of "cloudserver_vm.web", "id".
func (a *Test) Value(address string, path ...string) string {
	a.t.Helper()
	if a.state == nil || a.state.Values == nil {
		a.fails.Fatalf("no step has applied %s", address)
	}
	for _, one := range a.state.Values.RootModule.Resources {
		if one.Address != address {
			continue
		}
		at := tfjsonpath.New(path[0])
		for _, key := range path[1:] {
			at = at.AtMapKey(key)
		}
		value, err := tfjsonpath.Traverse(one.AttributeValues, at)
		if err != nil {
			a.fails.Fatalf("%s: %v", address, err)
		}
		return fmt.Sprint(value)
	}
	a.fails.Fatalf("the state has no %s", address)
	return ""
}

// Output returns an output of the last state.
func (a *Test) Output(name string) string {
	a.t.Helper()
	if a.state == nil || a.state.Values == nil || a.state.Values.Outputs[name] == nil {
		a.fails.Fatalf("no step has the output %s", name)
	}
	return fmt.Sprint(a.state.Values.Outputs[name].Value)
}

// nothingIsLeft returns an error if the service still has something of this test.
func (a *Test) nothingIsLeft() error {
	names, err := left(context.Background(), a.Service, a.prefix+"-")
	if err == nil && len(names) > 0 {
		err = fmt.Errorf("the destroy left %s", listed(names))
	}
	return err
}

// reporter adds to each failure which clauses of API.md the step proves, and leaves out secrets.
type reporter struct {
	*testing.T
	test     *Test
	document clauses
	steps    []Step
	at       int // the step that has begun
}

func (r *reporter) explain(text string) string {
	proved := r.steps[r.at].clauses
	if strings.Contains(text, "post-test destroy") {
		proved = []string{"3.6"}
	}
	text = strings.TrimSpace(text)
	if r.test.gate.isClosed() { // the service is not to blame
		proved = nil
	}
	for _, clause := range proved {
		text += fmt.Sprintf("\n\nAPI.md §%s may not hold: %s", clause, r.document[clause])
	}
	text = r.test.redact(text)
	r.test.result.why = append(r.test.result.why, text)
	return text
}

// Errorf, Error, Fatalf and Fatal are those of the test, with the clauses.
func (r *reporter) Errorf(format string, arguments ...any) {
	r.T.Helper()
	r.T.Error(r.explain(fmt.Sprintf(format, arguments...)))
}

// Error is Errorf without a format.
func (r *reporter) Error(arguments ...any) {
	r.T.Helper()
	r.T.Error(r.explain(fmt.Sprint(arguments...)))
}

// Fatalf ends the test.
func (r *reporter) Fatalf(format string, arguments ...any) {
	r.T.Helper()
	r.T.Fatal(r.explain(fmt.Sprintf(format, arguments...)))
}

// Fatal is Fatalf without a format.
func (r *reporter) Fatal(arguments ...any) {
	r.T.Helper()
	r.T.Fatal(r.explain(fmt.Sprint(arguments...)))
}
