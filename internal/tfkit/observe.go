package tfkit

import (
	"encoding/json"

	"github.com/hashicorp/terraform-plugin-framework/diag"
)

// StateObserver is implemented by resources that take note of their states. Terraform passes each state to
// UpgradeResourceState before anything else. In commands that neither refresh nor plan, such as terraform import and
// -invoke, that is all that the provider learns about other resources.
type StateObserver interface {
	// ObserveState takes note of one state.
	ObserveState(d *ProviderData, state RawState, diags *diag.Diagnostics)
}

// RawState is a state in the form in which Terraform stores it.
type RawState []byte

// Fill sets the fields of a struct by their JSON tags. Invalid JSON is ignored here, because reading the whole state
// reports it.
func (s RawState) Fill(into any) { _ = json.Unmarshal(s, into) }
