package vm_test

import (
	"strings"
	"testing"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/acctest"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/emulator"
)

// TestLookUpWithAnUnknownDefault: the provider's account or group depends on
// something that is not applied yet.
func TestLookUpWithAnUnknownDefault(t *testing.T) {
	t.Parallel()
	_, e := acctest.Drive(t, emulator.Options{}, nil)
	for attribute, sources := range map[string]map[string]object{
		"account": {"cloudserver_vm": {"name": "web1"}, "cloudserver_vms": nil, "cloudserver_groups": nil, "cloudserver_group": {"name": "default"}},
		"group":   {"cloudserver_vm": {"name": "web1"}},
	} {
		d := e.NewDriver(t, object{attribute: acctest.Unknown})
		for name, config := range sources {
			_, diags := d.ReadData(t.Context(), name, config)
			if text := acctest.DiagText(diags); !strings.Contains(text, "error at "+attribute+": Unknown "+attribute) || !strings.Contains(text, "is not known yet") {
				t.Errorf("%s with an unknown %s: %s", name, attribute, text)
			}
		}
	}
}
