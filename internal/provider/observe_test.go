package provider_test

import (
	"testing"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/fastplan"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/provider"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/tfkit"
)

// TestEveryResourceIsObserved: without that, other resources, imports and actions would not know of it.
func TestEveryResourceIsObserved(t *testing.T) {
	t.Parallel()
	for name, resource := range fastplan.Resources(t.Context(), provider.New("test")()) {
		if _, ok := resource.(tfkit.Observed); !ok {
			t.Errorf("%s does not", name)
		}
	}
}
