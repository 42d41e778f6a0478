// SPDX-License-Identifier: MPL-2.0

package provider_test

import (
	"testing"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/hashicorp/terraform-plugin-go/tftypes"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/acctest"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/emulator"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/provider"
)

// TestDeferral: a Terraform that supports deferral gets a deferral while the provider block is unknown. For any other
// nothing changes.
func TestDeferral(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		unknown           string // an argument of the provider block
		allowed, deferred bool
	}{
		"endpoint":             {unknown: "endpoint", allowed: true, deferred: true},
		"token":                {unknown: "token", allowed: true, deferred: true},
		"only an account":      {unknown: "account", allowed: true},
		"everything is known":  {allowed: true},
		"no deferral, unknown": {unknown: "endpoint"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			_, e := acctest.Drive(t, emulator.Options{}, nil)
			server := acctest.NewServer(t, provider.New("test", provider.WithTransport(e.Transport()))())
			schemas, err := server.GetProviderSchema(t.Context(), &tfprotov6.GetProviderSchemaRequest{})
			if err != nil {
				t.Fatal(err)
			}
			settings := object{"endpoint": "https://a.example", "token": emulator.DemoAPIKey, "account": emulator.DemoAccount}
			if test.unknown != "" {
				settings[test.unknown] = tftypes.UnknownValue
			}
			configured, err := server.ConfigureProvider(t.Context(), &tfprotov6.ConfigureProviderRequest{
				Config:             dynamic(t, schemas.Provider.ValueType(), settings),
				ClientCapabilities: &tfprotov6.ConfigureProviderClientCapabilities{DeferralAllowed: test.allowed},
			})
			if err != nil || acctest.HasErrors(configured.Diagnostics) {
				t.Fatalf("%v\n%s", err, acctest.DiagText(configured.Diagnostics))
			}

			group := schemas.ResourceSchemas["cloudserver_group"].ValueType()
			config := dynamic(t, group, object{"name": "web"})
			plan, err := server.PlanResourceChange(t.Context(), &tfprotov6.PlanResourceChangeRequest{
				TypeName: "cloudserver_group", Config: config, ProposedNewState: config, PriorState: dynamic(t, group, nil),
				ClientCapabilities: &tfprotov6.PlanResourceChangeClientCapabilities{DeferralAllowed: test.allowed},
			})
			if err != nil || acctest.HasErrors(plan.Diagnostics) {
				t.Fatalf("%v\n%s", err, acctest.DiagText(plan.Diagnostics))
			}
			if got := plan.Deferred != nil && plan.Deferred.Reason == tfprotov6.DeferredReasonProviderConfigUnknown; got != test.deferred {
				t.Errorf("deferred is %v", plan.Deferred)
			}
			if sent := e.Calls(); test.deferred && len(sent) > 0 {
				t.Errorf("sent %q", sent)
			}
		})
	}
}

// dynamic encodes an object with some of its attributes. The others, and nil, are null.
func dynamic(t *testing.T, typ tftypes.Type, set object) *tfprotov6.DynamicValue {
	t.Helper()
	value := tftypes.NewValue(typ, nil)
	if set != nil {
		all := map[string]tftypes.Value{}
		for name, of := range typ.(tftypes.Object).AttributeTypes {
			all[name] = tftypes.NewValue(of, set[name])
		}
		value = tftypes.NewValue(typ, all)
	}
	encoded, err := tfprotov6.NewDynamicValue(typ, value)
	if err != nil {
		t.Fatal(err)
	}
	return &encoded
}
