package acctest_test

import (
	"context"
	"net/http"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/hashicorp/terraform-plugin-testing/helper/resource"
	"github.com/hashicorp/terraform-plugin-testing/plancheck"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/acctest"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/emulator"
)

func TestJournalChecks(t *testing.T) {
	t.Parallel()
	e := acctest.StartEmulator(t, emulator.Options{})
	const machine = "/accounts/demo/groups/default/virtual_machines/none?purge=true"
	send(t.Context(), t, http.MethodGet, e.URL+"/definitions")
	acctest.ExpectCalls(t, e)
	planned := plancheck.CheckPlanResponse{}
	acctest.ExpectNoCalls(e).CheckPlan(t.Context(), plancheck.CheckPlanRequest{}, &planned)
	equal(t, planned.Error, nil)

	send(t.Context(), t, http.MethodDelete, e.URL+machine)
	equal(t, strings.Join(e.AllCalls(), " "), "GET /definitions DELETE "+machine)
	acctest.ExpectCalls(t, e, "DELETE "+machine)
	equal(t, acctest.CheckCalls(e, "DELETE "+machine)(nil), nil)
	seen := &witness{TB: t}
	acctest.ExpectCalls(seen, e)
	equal(t, len(seen.failures), 1)
	acctest.ExpectNoCalls(e).CheckPlan(t.Context(), plancheck.CheckPlanRequest{}, &planned)
	if planned.Error == nil || !strings.Contains(planned.Error.Error(), "DELETE "+machine) {
		t.Errorf("got %v", planned.Error)
	}
}

func TestCheckDestroyed(t *testing.T) {
	t.Parallel()
	e := acctest.StartEmulator(t, emulator.Options{})
	equal(t, acctest.CheckDestroyed(e)(nil), nil)
	id := e.AddMachine(emulator.DemoAccount, emulator.DefaultGroup, emulator.Machine{Name: "left"})
	e.SoftDelete(id)
	if err := acctest.CheckDestroyed(e)(nil); err == nil || !strings.Contains(err.Error(), "left") {
		t.Errorf("a soft-deleted machine is left, but: %v", err)
	}
}

// TestEachVariant reads the definitions from every variant.
func TestEachVariant(t *testing.T) {
	t.Parallel()
	acctest.EachVariant(t, func(t *testing.T, options emulator.Options) {
		t.Parallel()
		synctest.Test(t, func(t *testing.T) {
			d, _ := acctest.Drive(t, options, nil)
			o, diags := d.ReadData(t.Context(), "cloudserver_definitions", map[string]any{})
			if acctest.HasErrors(diags) {
				t.Fatal(acctest.DiagText(diags))
			}
			equal(t, o.Get("distributions.1"), any("bookworm"))
		})
	})
}

func TestDriveWithoutSockets(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		d, e := acctest.Drive(t, emulator.Options{Latency: time.Minute}, map[string]any{"request_timeout": "5m"})
		before := time.Now()
		o, diags := d.ReadData(t.Context(), "cloudserver_definitions", map[string]any{})
		if acctest.HasErrors(diags) {
			t.Fatal(acctest.DiagText(diags))
		}
		equal(t, o.Get("distributions.1"), any("bookworm"))
		equal(t, time.Since(before), time.Minute)
		equal(t, strings.Join(e.AllCalls(), " "), "GET /definitions")
	})
}

func TestDriveAMachineThatBoots(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		d, e := acctest.Drive(t, emulator.Options{BootTime: time.Minute}, nil)
		config := map[string]any{"name": "web1", "disc": []map[string]any{{"label": "vda", "size": 25600}}}
		before := time.Now()
		o := d.MustApply(t.Context(), "cloudserver_vm", nil, config)
		if took := time.Since(before); took < time.Minute || took > 70*time.Second {
			t.Errorf("a machine that boots for a minute took %v", took)
		}
		acctest.ExpectCalls(t, e, "POST /accounts/demo/groups/default/vm_create")
		d.ExpectPlan(t.Context(), o, config, acctest.ActionNoOp)
		d.MustApply(t.Context(), "cloudserver_vm", o, nil)
		equal(t, acctest.CheckDestroyed(e)(nil), nil)
	})
}

func TestUnitTestThroughTheCLI(t *testing.T) {
	e := acctest.StartEmulator(t, emulator.Options{})
	acctest.UnitTest(t, resource.TestCase{
		CheckDestroy: acctest.CheckDestroyed(e),
		Steps: []resource.TestStep{{
			Config: e.ProviderBlock(`max_retries = 0`) + `data "cloudserver_definitions" "all" {}`,
			Check:  resource.TestCheckResourceAttr("data.cloudserver_definitions.all", "zone_names.2", emulator.HiddenZone),
		}},
	})
}

func send(ctx context.Context, t *testing.T, method, url string) {
	t.Helper()
	req, err := http.NewRequestWithContext(ctx, method, url, nil)
	if err != nil {
		t.Fatal(err)
	}
	req.Header.Set("Authorization", "Bearer "+emulator.DemoAPIKey)
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	if err := resp.Body.Close(); err != nil {
		t.Error(err)
	}
}
