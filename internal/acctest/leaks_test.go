package acctest_test

import (
	"testing"

	tfjson "github.com/hashicorp/terraform-json"
	"github.com/hashicorp/terraform-plugin-testing/plancheck"
	"github.com/hashicorp/terraform-plugin-testing/statecheck"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/acctest"
)

func TestStateAndPlanAreSearchedForSecrets(t *testing.T) {
	t.Parallel()
	state := &tfjson.State{Values: &tfjson.StateValues{RootModule: &tfjson.StateModule{
		Resources: []*tfjson.StateResource{{AttributeValues: map[string]any{"script": "echo \"<hush>\"\n"}}},
	}}}
	for text, leaks := range map[string]bool{"echo \"<hush>\"\n": true, "hush": true, "rush": false} {
		var inState statecheck.CheckStateResponse
		acctest.StateHasNone("absent", text).CheckState(t.Context(), statecheck.CheckStateRequest{State: state}, &inState)
		equal(t, inState.Error != nil, leaks)
		var inPlan plancheck.CheckPlanResponse
		plan := &tfjson.Plan{PlannedValues: state.Values, Config: &tfjson.Config{RootModule: &tfjson.ConfigModule{}}}
		acctest.PlanHasNone(text).CheckPlan(t.Context(), plancheck.CheckPlanRequest{Plan: plan}, &inPlan)
		equal(t, inPlan.Error != nil, leaks)
		equal(t, plan.Config != nil, true) // the caller's plan is not touched
	}
}
