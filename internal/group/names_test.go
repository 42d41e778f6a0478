package group_test

import (
	"fmt"
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/acctest"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/emulator"
)

// TestWritesReachTheirOwnGroup: another group has this one's ID as its name.
func TestWritesReachTheirOwnGroup(t *testing.T) {
	t.Parallel()
	ctx := t.Context()
	d, e := acctest.Drive(t, emulator.Options{}, nil)
	o := d.MustApply(ctx, groupType, nil, map[string]any{"name": "production"})
	id := o.Get("id").(string)
	decoy := fmt.Sprint(e.AddGroup("demo", id, false))
	d = e.NewDriver(t, nil)
	config := map[string]any{"name": "staging"}
	if read := d.MustRefresh(ctx, o); read.Get("name") != "production" || read.Get("id") != id {
		t.Errorf("read as %v", read.Get(""))
	}
	e.ResetJournal()
	o = d.MustApply(ctx, groupType, o, config)
	acctest.ExpectCalls(t, e, "PUT /accounts/demo/groups/production")
	e.ResetJournal()
	d.MustApply(ctx, groupType, o, nil)
	acctest.ExpectCalls(t, e, "DELETE /accounts/demo/groups/staging")
	if names := groupNames(t, e); !slices.Contains(names, any(id)) || slices.Contains(names, any("staging")) {
		t.Errorf("groups left: %v, want the decoy %s", names, decoy)
	}
}

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

// TestRenameByNameWhoseAnswerIsLost: the next attempt uses the old name, which no group has any more.
func TestRenameByNameWhoseAnswerIsLost(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		ctx := t.Context()
		d, e := acctest.Drive(t, emulator.Options{}, nil)
		o := d.MustApply(ctx, groupType, nil, map[string]any{"name": "production"})
		e.AddGroup("demo", o.Get("id").(string), false)
		d = e.NewDriver(t, nil)
		e.Inject(emulator.Fault{Match: func(r emulator.Request) bool { return r.Method == http.MethodPut }, Times: 1, Cut: true, AfterEffect: true})
		o = d.MustApply(ctx, groupType, o, map[string]any{"name": "staging"})
		if o.Get("name") != "staging" {
			t.Errorf("renamed to %v", o.Get("name"))
		}
	})
}

// TestNameThatNobodyGivesUp: the rename is refused within seconds, and so are two groups that would swap their names,
// because groups do not step aside.
func TestNameThatNobodyGivesUp(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		ctx := t.Context()
		d, e := acctest.Drive(t, emulator.Options{}, nil)
		first := d.MustApply(ctx, groupType, nil, map[string]any{"name": "a1"})
		second := d.MustApply(ctx, groupType, nil, map[string]any{"name": "b1"})
		began := time.Now()
		var all sync.WaitGroup
		for o, name := range map[*acctest.Object]string{first: "b1", second: "a1", nil: "default"} {
			all.Go(func() {
				_, diags := d.Apply(ctx, groupType, d.Plan(ctx, groupType, o, map[string]any{"name": name}))
				if text := acctest.DiagText(diags); !strings.Contains(text, "already been taken") || !strings.Contains(text, "apply again") {
					t.Errorf("renamed: %s", text)
				}
			})
		}
		all.Wait()
		if took := time.Since(began); took > 30*time.Second {
			t.Errorf("took %s", took)
		}
		if names := groupNames(t, e); !slices.Contains(names, "a1") || !slices.Contains(names, "b1") {
			t.Errorf("groups left: %v", names)
		}
	})
}
