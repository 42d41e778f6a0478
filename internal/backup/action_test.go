package backup_test

import (
	"bytes"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/acctest"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/emulator"
)

const (
	backupAction  = "cloudserver_disc_backup"
	restoreAction = "cloudserver_disc_restore"
)

func (w *world) target(more object) object {
	config := object{"virtual_machine_id": w.machine, "disc_id": w.disc}
	for name, value := range more {
		config[name] = value
	}
	return config
}

// backups reads the data source.
func (w *world) backups() *acctest.Object {
	w.Helper()
	o, diags := w.e.NewDriver(w.T, nil).ReadData(w.Context(), "cloudserver_backups", w.target(nil))
	if acctest.HasErrors(diags) {
		w.Fatal(acctest.DiagText(diags))
	}
	return o
}

// TestBackUpAndRestore takes a backup and restores it; a plan meanwhile replaces nothing.
func TestBackUpAndRestore(t *testing.T) {
	inWorld(t, func(t *testing.T, w *world) {
		ctx := w.Context()
		began := time.Now()
		progress := strings.Join(w.d.MustInvoke(ctx, backupAction, w.target(nil)), "\n")
		w.expectText(progress, "taking a backup of disc vda", "is being stored", "is stored")
		if waited := time.Since(began); waited < 10*time.Minute || waited > 11*time.Minute {
			t.Errorf("waited %s", waited)
		}
		acctest.ExpectCalls(t, w.e, "POST "+w.path("/backups"))
		o := w.backups()
		if o.Get("backups.0.stored") != true || o.Get("backups.0.manual") != true || o.Get("backups.0.size") != int64(25600) {
			t.Errorf("backups %v", o)
		}
		id := o.Get("backups.0.id").(string)

		config := object{"name": "web1", "disc": []object{{"label": "vda", "size": 25600, "storage_grade": "sata"}}}
		vm, diags := w.d.Import(ctx, "cloudserver_vm", w.machine)
		if acctest.HasErrors(diags) {
			t.Fatal(acctest.DiagText(diags))
		}
		w.e.ResetJournal()
		planned := false
		progressed, diags := w.d.Invoke(ctx, restoreAction, w.target(object{"backup_id": id, "confirm": true}), func(message string) {
			if !strings.Contains(message, "being restored") || planned {
				return
			}
			planned = true
			if grade := w.machineNow().Discs[0].StorageGrade; grade != "iceberg" {
				t.Errorf("the grade is %s during the restore", grade)
			}
			other := w.e.NewDriver(w.T, nil)
			if plan := other.Plan(ctx, "cloudserver_vm", other.MustRefresh(ctx, vm), config); plan.Action != acctest.ActionNoOp {
				t.Errorf("the plan meanwhile is %v: %v", plan.Action, plan.Changes())
			}
		})
		if acctest.HasErrors(diags) || !planned {
			t.Errorf("planned meanwhile: %t\n%s", planned, acctest.DiagText(diags))
		}
		w.expectText(strings.Join(progressed, "\n"), "restoring disc vda from backup "+id, "is restored")
		if grade := w.machineNow().Discs[0].StorageGrade; grade != "sata" {
			t.Errorf("the grade is %s after the restore", grade)
		}
		acctest.ExpectCalls(t, w.e, "PUT "+w.path("/backups/"+id))
	})
}

// TestRestoreNeedsConfirmation and sends nothing without it.
func TestRestoreNeedsConfirmation(t *testing.T) {
	inWorld(t, func(t *testing.T, w *world) {
		for _, confirm := range []any{nil, false} {
			_, diags := w.d.Invoke(w.Context(), restoreAction, w.target(object{"backup_id": "1234", "confirm": confirm}))
			w.expectText(acctest.DiagText(acctest.Errors(diags)), "error at confirm")
		}
		if calls := w.e.AllCalls(); len(calls) > 0 {
			t.Errorf("asked the service: %v", calls)
		}
	})
}

// TestActionAnswersLost: neither action does anything twice.
func TestActionAnswersLost(t *testing.T) {
	inWorld(t, func(t *testing.T, w *world) {
		ctx := w.Context()
		w.fault(http.MethodPost, "/backups", lost())
		w.d.MustInvoke(ctx, backupAction, w.target(nil))
		acctest.ExpectCalls(t, w.e, "POST "+w.path("/backups"))
		id := w.backups().Get("backups.0.id").(string)

		restored := w.target(object{"backup_id": id, "confirm": true})
		w.e.ResetJournal()
		w.fault(http.MethodPut, "/backups/"+id, lost())
		w.d.MustInvoke(ctx, restoreAction, restored)
		acctest.ExpectCalls(t, w.e, "PUT "+w.path("/backups/"+id))
		asked := false // the look after the restore has begun is denied
		w.e.Inject(emulator.Fault{Times: 1, Status: http.StatusNotFound, Match: func(r emulator.Request) bool {
			asked = asked || r.Method == http.MethodPut
			return asked && strings.HasSuffix(r.Path, "/discs/"+w.disc)
		}})
		_, diags := w.d.Invoke(ctx, restoreAction, restored)
		w.expectText(acctest.DiagText(acctest.Errors(diags)), "restore of disc vda was accepted", "404", "before you invoke the action again")
		time.Sleep(time.Hour) // it is over
		w.e.ResetJournal()
		w.fault(http.MethodPut, "/backups/"+id, emulator.Fault{Status: http.StatusBadGateway})
		_, diags = w.d.Invoke(ctx, restoreAction, restored)
		w.expectText(acctest.DiagText(acctest.Errors(diags)), "Cannot restore disc "+w.disc, "502", "is not being restored now", "has probably not been restored", "before you invoke the action again")
		acctest.ExpectCalls(t, w.e, "PUT "+w.path("/backups/"+id))
		w.fault(http.MethodPut, "/backups/"+id, emulator.Fault{Status: http.StatusBadGateway})
		lists := 0 // by the time of the second the restore is over
		w.e.Inject(emulator.Fault{Times: 1, Match: func(r emulator.Request) bool {
			if strings.HasSuffix(r.Path, "/backups") {
				lists++
			}
			return lists == 2
		}, Rewrite: func(status int, header http.Header, body []byte) (int, http.Header, []byte) {
			return status, header, bytes.Replace(body, []byte("["), []byte(`[{"id":77,"storage_grade":"iceberg"},`), 1)
		}})
		_, diags = w.d.Invoke(ctx, restoreAction, restored)
		w.expectText(acctest.DiagText(acctest.Errors(diags)), "has a new backup, 77,", "may be restored already")

		w.e.ResetJournal()
		w.fault(http.MethodPost, "/backups", emulator.Fault{Status: http.StatusBadGateway})
		_, diags = w.d.Invoke(ctx, backupAction, w.target(nil))
		w.expectText(acctest.DiagText(acctest.Errors(diags)), "Cannot back up disc "+w.disc, "502", "before you invoke the action again")
		acctest.ExpectCalls(t, w.e, "POST "+w.path("/backups"))
	})
}

func TestActionsRefused(t *testing.T) {
	inWorld(t, func(t *testing.T, w *world) {
		ctx := w.Context()
		_, diags := w.d.Invoke(ctx, restoreAction, w.target(object{"backup_id": "99999", "confirm": true}))
		w.expectText(acctest.DiagText(acctest.Errors(diags)), "error at backup_id", "Cannot restore disc "+w.disc, "has no backup 99999")
		acctest.ExpectCalls(t, w.e)
		w.e.ResetJournal()
		_, diags = w.d.Invoke(ctx, backupAction, object{"virtual_machine_id": w.machine, "disc_id": "99999"})
		w.expectText(acctest.DiagText(acctest.Errors(diags)), "Check virtual_machine_id and disc_id")
		if err := w.e.MigrateDisc(w.machineNow().ID, "vda", "ssd"); err != nil {
			t.Fatal(err)
		}
		_, diags = w.d.Invoke(ctx, restoreAction, w.target(object{"backup_id": "99999", "confirm": true}))
		w.expectText(acctest.DiagText(acctest.Errors(diags)), "is being migrated or restored")
		acctest.ExpectCalls(t, w.e)
	})
}

// TestBackUpTimesOut: the error mentions that the backup continues.
func TestBackUpTimesOut(t *testing.T) {
	inWorld(t, func(t *testing.T, w *world) {
		_, diags := w.d.Invoke(w.Context(), backupAction, w.target(object{"timeouts": object{"invoke": "1m"}}))
		w.expectText(acctest.DiagText(acctest.Errors(diags)), "is not finished", "goes on without Terraform")
		time.Sleep(15 * time.Minute)
		if w.backups().Get("backups.0.stored") != true {
			t.Error("the backup is not stored")
		}
	})
}
