package tfkit

import (
	"encoding/json"
	"math/big"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/types"
	"github.com/hashicorp/terraform-plugin-go/tftypes"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/run"
)

// Observed is implemented by every resource, so that resources of one run know of each other, whether or not their own
// code is called: a plan in which nothing changes is answered without it.
type Observed interface {
	// ObserveState notes in the memory what a state says, and returns its object. Terraform passes each state to
	// UpgradeResourceState before anything else. In commands that neither refresh nor plan, such as terraform import
	// and -invoke, that is all that the provider learns about other resources.
	ObserveState(memory *run.Memory, state RawState) run.Object
	// Subject returns what a state, or a plan, says of the object.
	Subject(state Attributes) run.Subject
	// RefuseName reports that two objects have a name once the plans are applied.
	RefuseName(name run.Name, other, by run.Holder, diags *diag.Diagnostics)
	// WarnOfName warns, where it matters, that an object is destroyed, and another one takes its name.
	WarnOfName(destroyed, taker run.Holder, diags *diag.Diagnostics)
}

// RawState is a state in the form in which Terraform stores it.
type RawState []byte

// Fill sets the fields of a struct by their JSON tags. Invalid JSON is ignored here, because reading the whole state
// reports it.
func (s RawState) Fill(into any) { _ = json.Unmarshal(s, into) }

// Attributes are the attributes of a state, or of a plan.
type Attributes map[string]tftypes.Value

// AttributesIn returns the attributes of an object, which are none if it is null or unknown.
func AttributesIn(object tftypes.Value) (attributes Attributes) {
	var values map[string]tftypes.Value
	if object.IsKnown() && !object.IsNull() && object.As(&values) == nil {
		return values
	}
	return nil
}

// Text returns the text of an attribute, or "" if it is null or unknown.
func (a Attributes) Text(name string) (text string) {
	if value, ok := a[name]; ok && value.IsKnown() && !value.IsNull() {
		_ = value.As(&text) // all attributes that are asked for are texts
	}
	return text
}

// Number returns a number as a text, or "" if it is null or unknown.
func (a Attributes) Number(name string) string {
	var number big.Float
	if value, ok := a[name]; ok && value.IsKnown() && !value.IsNull() && value.As(&number) == nil {
		return number.Text('f', -1)
	}
	return ""
}

// Is reports whether a boolean attribute is known to have this value.
func (a Attributes) Is(name string, want bool) bool {
	value, ok := a[name]
	return ok && value.Equal(tftypes.NewValue(tftypes.Bool, want))
}

// Bool returns a boolean attribute, which is null if it is not known.
func (a Attributes) Bool(name string) types.Bool {
	for _, value := range []bool{true, false} {
		if a.Is(name, value) {
			return types.BoolValue(value)
		}
	}
	return types.BoolNull()
}

// IsNull reports whether an attribute is null.
func (a Attributes) IsNull(name string) bool {
	value, ok := a[name]
	return !ok || value.IsNull()
}
