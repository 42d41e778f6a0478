// SPDX-License-Identifier: MPL-2.0

package vm

import (
	"testing"

	"github.com/hashicorp/terraform-plugin-framework/types"
)

// TestProtection: a machine is protected by its state or by the plan, and by the provider's default where one of them has
// no value. So a value that lifts the protection holds from the next apply on.
func TestProtection(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		state, plan, provider string
		want                  protection
	}{
		"nobody":                     {"-", "-", "-", unprotected},
		"the state":                  {"true", "true", "-", byState},
		"being lifted":               {"true", "false", "-", byState},
		"being removed":              {"true", "-", "-", byState},
		"being set":                  {"-", "true", "-", byPlan},
		"not known yet":              {"false", "?", "-", byPlan},
		"the provider":               {"-", "-", "true", byProvider},
		"the provider, being lifted": {"-", "false", "true", byProvider},
		"lifted":                     {"false", "false", "true", unprotected},
		"lifted, and removed":        {"false", "-", "true", byProvider},
		"provider not known yet":     {"-", "-", "?", byProvider},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			byDefault := modelOf("deletion_protection=" + test.provider).DeletionProtection
			state, plan := modelOf("deletion_protection="+test.state), modelOf("deletion_protection="+test.plan)
			if got := protectionOf(&state, &plan, byDefault); got != test.want {
				t.Errorf("got %d, want %d", got, test.want)
			}
		})
	}
}

// TestDefaults: what is null in a configuration, and after an import, means the documented default.
func TestDefaults(t *testing.T) {
	t.Parallel()
	var absent model
	if shutdown := absent.shutdown(); !absent.purges() || shutdown.Fail || shutdown.Timeout.String() != "2m0s" {
		t.Errorf("purges %t, %+v", absent.purges(), shutdown)
	}
	set := model{resourceOnly: resourceOnly{
		PurgeOnDestroy: types.BoolValue(false), ShutdownTimeout: types.StringValue("1m"), OnShutdownTimeout: types.StringValue("fail"),
	}}
	if shutdown := set.shutdown(); set.purges() || !shutdown.Fail || shutdown.Timeout.String() != "1m0s" {
		t.Errorf("purges %t, %+v", set.purges(), shutdown)
	}
}
