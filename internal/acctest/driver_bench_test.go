package acctest_test

import "testing"

// BenchmarkDriver is what one operation costs: plan, apply (which plans
// again) and destroy make one round.
func BenchmarkDriver(b *testing.B) {
	d := probeDriver(b, newWorld())
	config := map[string]any{"name": "a", "disc": discs("vda", "vdb"), "rules": []map[string]any{{"port": 22}}}
	for b.Loop() {
		o := d.MustApply(b.Context(), thingType, nil, config)
		d.MustApply(b.Context(), thingType, o, nil)
	}
}
