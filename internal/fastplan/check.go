package fastplan

import (
	"context"
	"fmt"
	"reflect"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/hashicorp/terraform-plugin-go/tftypes"
)

// frameworkPlan makes a plan with the framework.
type frameworkPlan func(context.Context, *tfprotov6.PlanResourceChangeRequest) (*tfprotov6.PlanResourceChangeResponse, error)

// compare adds an error to an answer if it is not the framework's, byte for byte. A planned state may be other bytes, but
// must be the same value: the framework encodes it again.
func (plan frameworkPlan) compare(
	ctx context.Context, req *tfprotov6.PlanResourceChangeRequest, object tftypes.Type, answer *tfprotov6.PlanResourceChangeResponse,
) {
	want, err := plan(ctx, req)
	if err == nil && samePlan(want, answer, object) {
		return
	}
	answer.Diagnostics = append(answer.Diagnostics, &tfprotov6.Diagnostic{
		Severity: tfprotov6.DiagnosticSeverityError, Summary: "The plan differs from that of the plugin framework",
		Detail: fmt.Sprintf("%s has the value check, and the plan of a %s in which nothing changes would be another one without package fastplan. "+
			"Report this to the provider's developers: %s", Switch, req.TypeName, difference(want, answer, err)),
	})
}

// samePlan reports whether two plans are the same.
func samePlan(want, got *tfprotov6.PlanResourceChangeResponse, object tftypes.Type) bool {
	planned, err := want.PlannedState.Unmarshal(object)
	if err != nil {
		return false
	}
	state, err := got.PlannedState.Unmarshal(object)
	if err != nil || !planned.Equal(state) {
		return false
	}
	same := *want
	same.PlannedState = got.PlannedState
	return reflect.DeepEqual(&same, got)
}

// difference names the fields in which two plans differ, without their values: those may be secret.
func difference(want, got *tfprotov6.PlanResourceChangeResponse, err error) string {
	if err != nil {
		return err.Error()
	}
	text := "it has other values in"
	wanted, is := reflect.ValueOf(want).Elem(), reflect.ValueOf(got).Elem()
	for i := range wanted.NumField() {
		if field := wanted.Type().Field(i); field.IsExported() && !reflect.DeepEqual(wanted.Field(i).Interface(), is.Field(i).Interface()) {
			text += " " + field.Name
		}
	}
	return text + "."
}
