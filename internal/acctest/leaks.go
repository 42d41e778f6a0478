package acctest

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"

	"github.com/hashicorp/terraform-plugin-testing/plancheck"
	"github.com/hashicorp/terraform-plugin-testing/statecheck"
)

// StateHasNone is a state check: none of the texts is anywhere in the state.
func StateHasNone(texts ...string) statecheck.StateCheck { return absent(texts) }

// PlanHasNone is a plan check: none of the texts is anywhere in the plan, its
// copy of the configuration excepted, which holds what the test itself wrote.
func PlanHasNone(texts ...string) plancheck.PlanCheck { return absent(texts) }

type absent []string

// CheckState implements statecheck.StateCheck.
func (a absent) CheckState(_ context.Context, req statecheck.CheckStateRequest, resp *statecheck.CheckStateResponse) {
	resp.Error = a.in("state", req.State)
}

// CheckPlan implements plancheck.PlanCheck.
func (a absent) CheckPlan(_ context.Context, req plancheck.CheckPlanRequest, resp *plancheck.CheckPlanResponse) {
	plan := *req.Plan
	plan.Config = nil
	resp.Error = a.in("plan", &plan)
}

// in never repeats a text: it is a secret, likely.
func (a absent) in(what string, value any) error {
	text, err := json.Marshal(value)
	if err != nil {
		return fmt.Errorf("look through the %s: %w", what, err)
	}
	for i, secret := range a {
		quoted, err := json.Marshal(secret) // as it would be written there
		if err != nil {
			return fmt.Errorf("quote text %d: %w", i+1, err)
		}
		if strings.Contains(string(text), strings.Trim(string(quoted), `"`)) {
			return fmt.Errorf("text %d of %d is in the %s", i+1, len(a), what)
		}
	}
	return nil
}
