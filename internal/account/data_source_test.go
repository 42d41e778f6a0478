package account_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-testing/helper/resource"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/acctest"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/emulator"
)

func TestMain(m *testing.M) { acctest.Main(m) }

func TestAccountThroughTheCLI(t *testing.T) {
	e := acctest.StartEmulator(t, emulator.Options{})
	e.AddAccount("sleepy", true)
	acctest.UnitTest(t, resource.TestCase{Steps: []resource.TestStep{{
		Config: e.ProviderBlock() + `
			data "cloudserver_account" "own" {}
			data "cloudserver_account" "sleepy" { name = "sleepy" }
			data "cloudserver_account" "by_id" { id = data.cloudserver_account.own.id }
		`,
		Check: resource.ComposeAggregateTestCheckFunc(
			resource.TestCheckResourceAttr("data.cloudserver_account.own", "name", emulator.DemoAccount),
			resource.TestCheckResourceAttr("data.cloudserver_account.own", "suspended", "false"),
			resource.TestCheckResourceAttr("data.cloudserver_account.sleepy", "suspended", "true"),
			resource.TestCheckResourceAttr("data.cloudserver_account.by_id", "name", emulator.DemoAccount),
		),
	}}})
}

func TestAccountIsOneSmallRequest(t *testing.T) {
	t.Parallel()
	d, e := acctest.Drive(t, emulator.Options{}, nil)
	o, diags := d.ReadData(t.Context(), "cloudserver_account", nil)
	if acctest.HasErrors(diags) || o.Get("name") != emulator.DemoAccount {
		t.Errorf("got %v, %s", o.Get("name"), acctest.DiagText(diags))
	}
	if got := e.AllCalls(); !slices.Equal(got, []string{"GET /accounts/demo"}) {
		t.Errorf("requests: %v", got)
	}
}

func TestAccountRefuses(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		settings, config map[string]any
		want             string
	}{
		"unknown name":      {nil, map[string]any{"name": "dmeo"}, "error at name: Cannot find account \"dmeo\"\nThe service knows no account \"dmeo\", or does not show it to this session. The service offers: \"demo\"."},
		"unknown id":        {nil, map[string]any{"id": "999"}, `error at id: Cannot find account "999"`},
		"neither":           {map[string]any{"account": nil}, nil, "No account to look up"},
		"both":              {nil, map[string]any{"name": "demo", "id": "1"}, "Invalid Attribute Combination"},
		"unknown default":   {map[string]any{"account": "nobody"}, nil, `Cannot find account "nobody"`},
		"no right to do so": {map[string]any{"token": "apikey.wrong"}, map[string]any{"name": "demo"}, "API key"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			d, _ := acctest.Drive(t, emulator.Options{}, test.settings)
			_, diags := d.ReadData(t.Context(), "cloudserver_account", test.config)
			if got := acctest.DiagText(diags); !strings.Contains(got, test.want) {
				t.Errorf("want %q in:\n%s", test.want, got)
			}
		})
	}
}
