package vm_test

import (
	"bytes"
	"fmt"
	"net/http"
	"regexp"
	"testing"
	"time"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/acctest"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/emulator"
)

// twoDiscs returns a machine with a boot disc and a data disc.
var twoDiscs = configured(off, given{"disc": discs("vda:25600", "data:5000:sata")})

// changeAndRefresh changes a machine's discs outside Terraform. It returns the refreshed object, and the warnings of the
// refresh.
func changeAndRefresh(
	t *testing.T, d *acctest.Driver, e *acctest.Emulator, config object, change func(id int64) error,
) (*acctest.Object, string) {
	t.Helper()
	o := d.MustApply(t.Context(), vmType, nil, config)
	if err := change(onlyMachine(t, e).ID); err != nil {
		t.Fatal(err)
	}
	o, diags := d.Refresh(t.Context(), o)
	if acctest.HasErrors(diags) {
		t.Fatal(acctest.DiagText(diags))
	}
	e.ResetJournal()
	return o, acctest.DiagText(diags)
}

// TestDiscRenamedElsewhere: a disc is identified by its ID. The state keeps the configured labels, and nothing is sent
// because of a label that somebody else changed.
func TestDiscRenamedElsewhere(t *testing.T) {
	t.Parallel()
	before := discs("vda:25600", "data:5000", "logs:6000")
	label := func(data, logs string) func(*acctest.Emulator, *emulator.Machine) {
		return func(_ *acctest.Emulator, m *emulator.Machine) { m.Discs[1].Label, m.Discs[2].Label = data, logs }
	}
	for name, test := range map[string]struct {
		change func(*acctest.Emulator, *emulator.Machine)
		after  objects
		plan   acctest.Action
		sent   string
		says   []string
	}{
		"nothing is planned": {change: label("theirs", "others"), after: before, plan: noop},
		"exchanged":          {change: label("logs", "data"), after: before, plan: noop},
		"another disc has its label": {
			change: func(e *acctest.Emulator, m *emulator.Machine) {
				m.Discs[1].Label = "theirs"
				m.Discs = append(m.Discs, emulator.Disc{Label: "data", Size: 77})
			}, after: before, plan: noop,
		},
		"its block follows":        {change: label("theirs", "logs"), after: discs("vda:25600", "theirs:5000", "logs:6000"), plan: update, sent: "PUT disc label=theirs"},
		"its block follows, grown": {change: label("theirs", "logs"), after: discs("vda:25600", "theirs:7000", "logs:6000"), plan: update, sent: "PUT disc label=theirs; PUT disc size=7000"},
		"both follow, reordered":   {change: label("theirs", "others"), after: discs("vda:25600", "others:6000", "theirs:5000"), plan: refused, says: []string{"Cannot rename a disc and purge another one"}},
		"another name for it":      {change: label("theirs", "logs"), after: discs("vda:25600", "mine:5000", "logs:6000"), plan: update, sent: "PUT disc label=mine"},
		"its block goes":           {change: label("theirs", "logs"), after: discs("vda:25600", "logs:6000"), plan: update, sent: "DELETE disc?purge=true", says: []string{`"data" (ID 1006, 5000 megabytes, sata)`}},
	} {
		for _, checks := range []bool{true, false} {
			inBubbleNamed(t, fmt.Sprintf("%s/plan_checks %t", name, checks), func(t *testing.T, _ *acctest.Driver, e *acctest.Emulator) {
				ctx, d := t.Context(), e.NewDriver(t, map[string]any{"plan_checks": checks})
				o, _ := changeAndRefresh(t, d, e, configured(off, given{"disc": before}), func(id int64) error {
					return e.Change(id, func(m *emulator.Machine) { test.change(e, m) })
				})
				expectState(t, o, given{"disc.1.label": "data", "disc.2.label": "logs"})
				was := onlyMachine(t, e).Discs
				config := configured(off, given{"disc": test.after})
				plan := d.ExpectPlan(ctx, o, config, test.plan)
				if len(test.says) > 0 {
					expectSays(t, plan.Diagnostics, test.says...)
				} else if len(plan.Diagnostics) > 0 {
					t.Error(acctest.DiagText(plan.Diagnostics))
				}
				if test.plan != update {
					return
				}
				applyCleanly(t, d, e, o, config, test.sent)
				if is := onlyMachine(t, e).Discs; name != "its block goes" && (is[1].ID != was[1].ID || is[2].ID != was[2].ID) {
					t.Errorf("other discs: %v", is)
				}
			})
		}
	}
}

// TestDiscLabelsThatTheServiceNormalises: the state keeps the configured labels.
func TestDiscLabelsThatTheServiceNormalises(t *testing.T) {
	label := regexp.MustCompile(`"label":"[^"]*"`)
	inBubble(t, func(t *testing.T, d *acctest.Driver, e *acctest.Emulator) {
		e.Inject(emulator.Fault{Rewrite: func(status int, header http.Header, body []byte) (int, http.Header, []byte) {
			return status, header, label.ReplaceAllFunc(body, bytes.ToLower)
		}})
		blocks := func(texts ...string) object { return configured(off, given{"disc": discs(texts...)}) }
		o := applyCleanly(t, d, e, nil, blocks("Boot:25600", "Data:5000"), "create discs=Boot:25600,Data:5000 autoreboot_on=false power_on=false")
		expectState(t, o, given{"disc.1.label": "Data"})
		o = applyCleanly(t, d, e, o, blocks("Boot:25600", "Data:6000", "More:100"), "PUT disc size=6000; POST disc label=More size=100")
		o = applyCleanly(t, d, e, o, blocks("Boot:25600", "Old:6000", "More:100"), "PUT disc label=Old")
		applyCleanly(t, d, e, mustImport(t, d, o.Get("id").(string)), blocks("Boot:25600", "Old:6000", "More:100"), "") // recorded at most
	})
}

// TestGradeChangedElsewhere: a grade changed by staff, a migration or a restore plans nothing, neither during it nor
// afterwards. The disc's current grade can be recorded, and no other.
func TestGradeChangedElsewhere(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		during, target string // the grades that the service reports
		is             string // the grade that can be recorded, after a colon
	}{
		"by staff":    {during: "archive", is: ":archive"},
		"a migration": {during: "sata", target: "ssd", is: ":ssd"},
		"a restore":   {during: "iceberg", target: "sata", is: ":sata"},
	} {
		inWorldNamed(t, name, emulator.Options{}, func(t *testing.T, d *acctest.Driver, e *acctest.Emulator) {
			ctx := t.Context()
			graded := func(grade string) object {
				return configured(off, given{"disc": discs("vda:25600", "data:5000"+grade)})
			}
			o, said := changeAndRefresh(t, d, e, twoDiscs, func(id int64) error {
				return e.Change(id, func(m *emulator.Machine) {
					data := &m.Discs[1]
					if data.StorageGrade, data.NewStorageGrade = test.during, test.target; test.target != "" {
						data.CopyBegan, data.CopyEnds = time.Now(), time.Now().Add(time.Hour)
					}
				})
			})
			if said != "" {
				t.Errorf("the refresh says\n%s", said)
			}
			expectState(t, o, given{"disc.1.storage_grade": "sata"})
			d.ExpectPlan(ctx, o, twoDiscs, noop)
			if test.is != ":sata" {
				d.ExpectPlan(ctx, o, graded(test.is), update)
			}
			time.Sleep(2 * time.Hour)
			o = applyCleanly(t, d, e, o, twoDiscs, "")
			o = applyCleanly(t, d, e, o, graded(""), "")
			o = applyCleanly(t, d, e, o, graded(test.is), "")
			expectState(t, o, given{"disc.1.storage_grade": test.is[1:]})
			acctest.ExpectError(t, d.Plan(ctx, vmType, o, graded(":iceberg")).Diagnostics, "error at disc.1.storage_grade", "Cannot change the storage grade")
		})
	}
}

// TestPurgeOfADiscWithTheLabelOfABlock: somebody has exchanged the labels of two discs, and one of their blocks is
// removed. The plan would purge the disc which the service calls like the block that stays.
func TestPurgeOfADiscWithTheLabelOfABlock(t *testing.T) {
	inBubble(t, func(t *testing.T, d *acctest.Driver, e *acctest.Emulator) {
		ctx := t.Context()
		three := configured(off, given{"disc": discs("vda:25600", "data:5000:sata", "logs:6000:sata")})
		o, _ := changeAndRefresh(t, d, e, three, func(id int64) error {
			return e.Change(id, func(m *emulator.Machine) { m.Discs[1].Label, m.Discs[2].Label = "logs", "data" })
		})
		d.ExpectPlan(ctx, o, three, noop)
		without := configured(off, given{"disc": discs("vda:25600", "data:5000:sata")})
		acctest.ExpectError(t, d.Plan(ctx, vmType, o, without).Diagnostics,
			"error at disc.1.label", `Cannot purge disc "logs"`, `the service calls that disc "data" now`, "first apply another label for that block, alone")
		kept := onlyMachine(t, e).Discs[1].ID // as the error advises
		o = applyCleanly(t, d, e, o, configured(off, given{"disc": discs("vda:25600", "mine:5000:sata", "logs:6000:sata")}), "PUT disc label=mine")
		applyCleanly(t, d, e, o, configured(off, given{"disc": discs("vda:25600", "mine:5000:sata")}), "DELETE disc?purge=true")
		if left := onlyMachine(t, e).Discs; len(left) != 2 || left[1].ID != kept {
			t.Errorf("left: %+v", left)
		}
	})
}
