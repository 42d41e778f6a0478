package provider_test

import (
	"testing"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/fastplan"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/provider"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/tfkit"
)

// TestEveryResourceObservesItsStates: without that, an import and an action would not know the state.
func TestEveryResourceObservesItsStates(t *testing.T) {
	t.Parallel()
	for name, resource := range fastplan.Resources(t.Context(), provider.New("test")()) {
		if _, ok := resource.(tfkit.StateObserver); !ok {
			t.Errorf("%s does not", name)
		}
	}
}
