package vm_test

import (
	"testing"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/acctest"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/emulator"
	answers "github.com/cloudserver/terraform-provider-cloudserver/internal/emulator/shape"
)

// TestKeymapInAnotherShape is no perpetual difference.
func TestKeymapInAnotherShape(t *testing.T) {
	inWorld(t, emulator.Options{Answers: answers.Answers{ObjectShapes: true}}, func(t *testing.T, d *acctest.Driver, e *acctest.Emulator) {
		ctx := t.Context()
		for _, config := range []object{configured(given{"keymap": "de"}), configured()} {
			o := d.MustApply(ctx, vmType, nil, config)
			d.ExpectPlan(ctx, o, config, noop)
			config["name"] = "web2"
			o = d.MustApply(ctx, vmType, d.MustRefresh(ctx, o), config)
			d.ExpectPlan(ctx, o, config, noop)
			d.MustApply(ctx, vmType, o, nil)
		}
	})
}
