package acctest_test

import (
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-framework/providerserver"
	"github.com/hashicorp/terraform-plugin-go/tfprotov6"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/acctest"
)

const thingType = "probe_thing"

func probeServer(w *world) tfprotov6.ProviderServer {
	return providerserver.NewProtocol6(&probe{world: w})()
}

func probeDriver(t testing.TB, w *world) *acctest.Driver {
	t.Helper()
	return acctest.NewDriver(t, probeServer(w), nil)
}

func discs(labels ...string) []map[string]any {
	blocks := []map[string]any{}
	for _, label := range labels {
		blocks = append(blocks, map[string]any{"label": label})
	}
	return blocks
}

func TestDriverLifecycle(t *testing.T) {
	t.Parallel()
	ctx, w := t.Context(), newWorld()
	d := probeDriver(t, w)
	config := map[string]any{
		"name": "a", "secret_wo": "hush", "disc": discs("vda"),
		"image": map[string]any{"name": "trixie", "password_wo": "hush"},
	}

	plan := d.Plan(ctx, thingType, nil, config)
	equal(t, plan.Action, acctest.ActionCreate)
	equal(t, plan.Get("id"), any(acctest.Unknown))
	o, diags := d.Apply(ctx, thingType, plan)
	if acctest.HasErrors(diags) {
		t.Fatal(acctest.DiagText(diags))
	}
	equal(t, o.Get("id"), any("thing-1"))
	equal(t, o.Get("disc.0.grade"), any("sata"))
	equal(t, o.Get("size"), any(int64(1)))
	equal(t, o.Get("secret_wo"), nil)
	equal(t, o.GetIdentity("id"), any("thing-1"))
	if text, err := o.JSON(); err != nil || strings.Contains(text, "hush") || !strings.Contains(text, "trixie") {
		t.Errorf("state %s, %v", text, err)
	}
	d.ExpectPlan(ctx, o, config, acctest.ActionNoOp)

	config["name"] = "b"
	update := d.ExpectPlan(ctx, o, config, acctest.ActionUpdate)
	equal(t, strings.Join(update.Changes(), " "), "name size version")
	equal(t, update.Get("disc.0.id"), any("thing-1/\"vda\""))
	o = d.MustApply(ctx, thingType, o, config)
	equal(t, o.Get("version"), any(int64(2)))

	config["zone"] = "manchester"
	replace := d.ExpectPlan(ctx, o, config, acctest.ActionReplace)
	equal(t, strings.Join(replace.RequiresReplace, " "), "zone")
	equal(t, replace.Get("id"), any(acctest.Unknown))
	equal(t, len(replace.Warnings()), 1)
	o = d.MustApply(ctx, thingType, o, config)
	equal(t, o.Get("id"), any("thing-2"))
	equal(t, len(w.things), 1)

	if gone := d.MustApply(ctx, thingType, o, nil); gone != nil {
		t.Errorf("destroyed, but %v", gone.Get(""))
	}
	equal(t, len(w.things), 0)
	if read := d.MustRefresh(ctx, o); read != nil {
		t.Errorf("gone, but read as %v", read.Get(""))
	}
}

func TestDriverForcedReplacement(t *testing.T) {
	t.Parallel()
	ctx := t.Context()
	config := map[string]any{"name": "a"}
	w := newWorld()
	d := probeDriver(t, w)
	o := d.MustApply(ctx, thingType, nil, config)

	tainted := d.ExpectPlan(ctx, o.Taint(), config, acctest.ActionReplace)
	equal(t, tainted.Get("id"), any(acctest.Unknown))
	d.ExpectPlan(ctx, o.Taint().Untaint(), config, acctest.ActionNoOp)
	forced := d.PlanReplace(ctx, o, config)
	equal(t, forced.Action, acctest.ActionReplace)
	o, diags := d.Apply(ctx, thingType, forced)
	if acctest.HasErrors(diags) {
		t.Fatal(acctest.DiagText(diags))
	}
	equal(t, o.Get("id"), any("thing-2"))
	equal(t, len(w.things), 1)
}

func equal[T comparable](t *testing.T, got, want T) {
	t.Helper()
	if got != want {
		t.Errorf("got %v, want %v", got, want)
	}
}
