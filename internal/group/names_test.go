// SPDX-License-Identifier: MPL-2.0

package group_test

import (
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/acctest"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/emulator"
)

func TestNewNameOfDigitsIsRefused(t *testing.T) {
	t.Parallel()
	ctx := t.Context()
	d, e := acctest.Drive(t, emulator.Options{}, nil)
	e.AddGroup("demo", "4711", false)
	o := d.MustApply(ctx, groupType, nil, map[string]any{"name": "production"})
	for _, prior := range []*acctest.Object{nil, o} {
		plan := d.Plan(ctx, groupType, prior, map[string]any{"name": "4712"})
		if text := acctest.DiagText(plan.Errors()); !strings.Contains(text, `error at name: Invalid name of a group`) {
			t.Errorf("planned:\n%s", text)
		}
	}
	imported := d.MustImport(ctx, groupType, "demo/4711")
	d.ExpectPlan(ctx, imported, map[string]any{"name": "4711"}, acctest.ActionNoOp)
	d.MustApply(ctx, groupType, imported, map[string]any{"name": "renamed"})
}

// TestNameThatIsTaken: a rename waits for a name that another change of the same apply frees. Two groups cannot swap
// their names.
func TestNameThatIsTaken(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		ctx := t.Context()
		d, _ := acctest.Drive(t, emulator.Options{}, nil)
		create := func(name string) *acctest.Object {
			return d.MustApply(ctx, groupType, nil, map[string]any{"name": name})
		}
		var all sync.WaitGroup
		rename := func(o *acctest.Object, name string, isRefused bool) {
			all.Go(func() {
				_, diags := d.Apply(ctx, groupType, d.Plan(ctx, groupType, o, map[string]any{"name": name}))
				text := acctest.DiagText(diags)
				if refused := strings.Contains(text, "error at name: Cannot rename"); refused != isRefused {
					t.Errorf("renamed to %s:\n%s", name, text)
				}
			})
		}
		green := create("green")
		rename(create("blue"), "green", false)
		all.Go(func() {
			time.Sleep(10 * time.Second)
			d.MustApply(ctx, groupType, green, nil)
		})
		first, second := create("a1"), create("b1")
		began := time.Now()
		rename(first, "b1", true)
		rename(second, "a1", true)
		all.Wait()
		if took := time.Since(began); took > 31*time.Second {
			t.Errorf("took %s", took)
		}
	})
}
