package tfkit

import (
	"encoding/json"

	"github.com/hashicorp/terraform-plugin-framework/diag"
)

// StateObserver is a resource that takes note of what the state has of it. Terraform
// passes each state to UpgradeResourceState before it does anything else with it, and
// where it neither refreshes nor plans, as terraform import and -invoke, it is all that
// the provider learns of other resources.
type StateObserver interface {
	// ObserveState takes note of one state.
	ObserveState(d *ProviderData, state RawState, diags *diag.Diagnostics)
}

// RawState is a state as Terraform stores it.
type RawState []byte

// Fill sets the fields of a struct to the values of the attributes that their JSON tags
// name. Garbage leaves it as it is: whoever reads the whole state reports that.
func (s RawState) Fill(into any) { _ = json.Unmarshal(s, into) }
