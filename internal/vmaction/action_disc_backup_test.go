// SPDX-License-Identifier: MPL-2.0

package vmaction_test

import (
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/acctest"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/emulator"
)

const (
	discBackup  = "cloudserver_disc_backup"
	discRestore = "cloudserver_disc_restore"
)

// copies is a disc with its backups.
type copies struct {
	*testing.T
	d             *acctest.Driver
	e             *acctest.Emulator
	machine       int64
	disc, backups string // ID, path
}

func onDisc(t *testing.T, test func(c *copies)) {
	t.Helper()
	t.Parallel()
	onMachine(t, emulator.Machine{Discs: []emulator.Disc{{Label: "vda", Size: 25600}}}, func(t *testing.T, d *acctest.Driver, e *acctest.Emulator, id int64) {
		c := &copies{T: t, d: d, e: e, machine: id}
		machine := c.now()
		c.disc = text(machine.Discs[0].ID)
		c.backups = "/accounts/demo/groups/" + text(machine.GroupID) + "/virtual_machines/" + text(id) + "/discs/" + c.disc + "/backups"
		test(c)
	})
}

func (c *copies) now() emulator.Machine {
	machine, _ := c.e.Machine(c.machine)
	return machine
}

func (c *copies) order(more map[string]any) map[string]any {
	config := order(c.machine, more)
	config["disc_id"] = c.disc
	return config
}

// fails invokes an action, and expects an error with the phrases after the calls.
func (c *copies) fails(action string, config map[string]any, calls []string, phrases ...string) {
	c.Helper()
	c.e.ResetJournal()
	_, diags := c.d.Invoke(c.Context(), action, config)
	acctest.ExpectError(c.T, acctest.Errors(diags), phrases...)
	acctest.ExpectCalls(c.T, c.e, calls...)
}

// fault makes the first request with the method and the end of the path fail.
func (c *copies) fault(method, suffix string, f emulator.Fault) {
	f.Times, f.Match = 1, func(r emulator.Request) bool { return r.Method == method && strings.HasSuffix(r.Path, suffix) }
	c.e.Inject(f)
}

// listed reads the data source.
func (c *copies) listed() *acctest.Object {
	c.Helper()
	return c.e.NewDriver(c.T, nil).MustReadData(c.Context(), "cloudserver_backups", c.order(nil))
}

// TestBackUpAndRestore takes a backup and restores it; a plan meanwhile replaces nothing.
func TestBackUpAndRestore(t *testing.T) {
	onDisc(t, func(c *copies) {
		ctx, began := c.Context(), time.Now()
		said := func(progress []string, phrases ...string) {
			for _, phrase := range phrases {
				if all := strings.Join(progress, "\n"); !strings.Contains(all, phrase) {
					c.Errorf("want %q in:\n%s", phrase, all)
				}
			}
		}
		said(c.d.MustInvoke(ctx, discBackup, c.order(nil)), "taking a backup of disc vda", "is being stored", "is stored")
		if waited := time.Since(began); waited < 10*time.Minute || waited > 11*time.Minute {
			c.Errorf("waited %s", waited)
		}
		acctest.ExpectCalls(c.T, c.e, "POST "+c.backups)
		o := c.listed()
		if o.Get("backups.0.stored") != true || o.Get("backups.0.manual") != true || o.Get("backups.0.size") != int64(25600) {
			c.Errorf("backups %v", o)
		}
		id := o.Get("backups.0.id").(string)

		config := map[string]any{"name": "web1", "disc": []map[string]any{{"label": "vda", "size": 25600, "storage_grade": "sata"}}}
		vm, _ := c.d.Import(ctx, vmType, text(c.machine))
		c.e.ResetJournal()
		planned := false
		progress, diags := c.d.Invoke(ctx, discRestore, c.order(map[string]any{"backup_id": id, "confirm": true}), func(message string) {
			if !strings.Contains(message, "being restored") || planned {
				return
			}
			planned = true
			if grade := c.now().Discs[0].StorageGrade; grade != "iceberg" {
				c.Errorf("the grade is %s during the restore", grade)
			}
			other := c.e.NewDriver(c.T, nil)
			other.ExpectPlan(ctx, other.MustRefresh(ctx, vm), config, acctest.ActionNoOp)
		})
		if acctest.HasErrors(diags) || !planned {
			c.Errorf("planned meanwhile: %t\n%s", planned, acctest.DiagText(diags))
		}
		said(progress, "restoring disc vda from backup "+id, "is restored")
		if grade := c.now().Discs[0].StorageGrade; grade != "sata" {
			c.Errorf("the grade is %s after the restore", grade)
		}
		acctest.ExpectCalls(c.T, c.e, "PUT "+c.backups+"/"+id)
	})
}

// TestRestoreThatBeginsLate: a service that backs the disc up first shows the restore only later.
func TestRestoreThatBeginsLate(t *testing.T) {
	onDisc(t, func(c *copies) {
		restore := c.acceptedRestore()
		c.moves(5*time.Second, 5*time.Minute)
		began := time.Now()
		c.d.MustInvoke(c.Context(), discRestore, restore)
		if waited := time.Since(began); waited < 5*time.Minute {
			c.Errorf("reported as restored after %s", waited)
		}
	})
}

// TestCopiesWhoseAnswersAreLost: neither action is carried out twice.
func TestCopiesWhoseAnswersAreLost(t *testing.T) {
	onDisc(t, func(c *copies) {
		const again = "before you invoke the action again"
		lost, failed := emulator.Fault{AfterEffect: true, Status: http.StatusBadGateway}, emulator.Fault{Status: http.StatusBadGateway}
		c.fault(http.MethodPost, "/backups", lost)
		c.d.MustInvoke(c.Context(), discBackup, c.order(nil))
		acctest.ExpectCalls(c.T, c.e, "POST "+c.backups)
		id := c.listed().Get("backups.0.id").(string)
		restore, put := c.order(map[string]any{"backup_id": id, "confirm": true}), []string{"PUT " + c.backups + "/" + id}
		c.e.ResetJournal()
		c.fault(http.MethodPut, "/backups/"+id, lost)
		c.d.MustInvoke(c.Context(), discRestore, restore)
		acctest.ExpectCalls(c.T, c.e, put...)
		c.fault(http.MethodPut, "/backups/"+id, failed)
		c.fails(discRestore, restore, put, "Cannot restore disc "+c.disc, "502", again)
		c.fault(http.MethodPost, "/backups", failed)
		c.fails(discBackup, c.order(nil), []string{"POST " + c.backups}, "Cannot back up disc "+c.disc, "502", again)
	})
}

func TestCopiesRefused(t *testing.T) {
	onDisc(t, func(c *copies) {
		c.d.MustInvoke(c.Context(), discBackup, c.order(nil))
		c.e.ResetJournal()
		restore := c.order(map[string]any{"backup_id": "99999", "confirm": true})
		c.fails(discRestore, c.order(map[string]any{"backup_id": "99999", "confirm": false}), nil, "error at confirm")
		if calls := c.e.AllCalls(); len(calls) > 0 {
			c.Errorf("asked the service: %v", calls)
		}
		refused := []string{"error at backup_id", "Cannot restore disc " + c.disc, "has no backup 99999"}
		acctest.ExpectError(c.T, c.d.PlanAction(c.Context(), discRestore, restore), refused...)
		_, diags := c.e.NewDriver(c.T, map[string]any{"plan_checks": false}).Invoke(c.Context(), discRestore, restore)
		acctest.ExpectError(c.T, diags, refused...)
		c.fails(discBackup, order(c.machine, map[string]any{"disc_id": "99999"}), nil, "Check disc_id")
		other := c.e.AddMachine(emulator.DemoAccount, emulator.DefaultGroup, emulator.Machine{Name: "web2"})
		c.fails(discBackup, order(other, map[string]any{"disc_id": c.disc}), nil, "error at disc_id", "is on virtual machine "+text(c.machine)+", not on "+text(other))
		if err := c.e.Change(c.machine, func(m *emulator.Machine) { m.Discs[0].NewStorageGrade = "ssd" }); err != nil {
			c.Fatal(err)
		}
		restore["backup_id"] = text(c.now().Discs[0].Backups.Taken[0].ID)
		c.fails(discRestore, restore, nil, "is being migrated or restored")
	})
}

// TestBackUpTimesOut: the error mentions that the backup continues.
func TestBackUpTimesOut(t *testing.T) {
	onDisc(t, func(c *copies) {
		c.fails(discBackup, c.order(map[string]any{"timeouts": map[string]any{"invoke": "1m"}}), []string{"POST " + c.backups}, "for backup 1007 to be stored: timed out; last seen: it is being stored; the backup goes on without Terraform")
		time.Sleep(15 * time.Minute)
		if c.listed().Get("backups.0.stored") != true {
			c.Error("the backup is not stored")
		}
	})
}

// TestCopiesAreAwaited: failures do not end the wait for a backup or a restore.
func TestCopiesAreAwaited(t *testing.T) {
	for _, action := range []string{discBackup, discRestore} {
		t.Run(action, func(t *testing.T) {
			onDisc(t, func(c *copies) {
				c.d.MustInvoke(c.Context(), discBackup, c.order(nil))
				config := c.order(nil)
				if action == discRestore {
					config = c.order(map[string]any{"backup_id": c.listed().Get("backups.0.id"), "confirm": true})
				}
				statuses := []int{http.StatusForbidden, http.StatusNotFound, http.StatusServiceUnavailable}
				_, diags := c.d.Invoke(c.Context(), action, config, func(message string) {
					if strings.Contains(message, "last seen") && len(statuses) > 0 {
						c.e.Inject(emulator.Fault{Status: statuses[0], Times: 3})
						statuses = statuses[1:]
					}
				})
				if acctest.HasErrors(diags) || len(statuses) > 0 {
					t.Errorf("not tried: %v\n%s", statuses, acctest.DiagText(diags))
				}
			})
		})
	}
}

// TestRestoreThatIsNeverSeen: the service accepts the restore, and nothing shows that it begins.
func TestRestoreThatIsNeverSeen(t *testing.T) {
	onDisc(t, func(c *copies) {
		restore := c.acceptedRestore()
		restore["timeouts"] = map[string]any{"invoke": "5m"}
		_, diags := c.d.Invoke(c.Context(), discRestore, restore)
		acctest.ExpectError(c.T, acctest.Errors(diags), "Cannot restore disc "+c.disc,
			"Waited 5m0s for disc vda to be restored: timed out; last seen: the disc is not being restored, and it has no new backup; "+
				"look at the disc before you invoke the action again. To wait longer, raise timeouts.invoke.")
	})
}

// TestRestoreAfterABackup: the service first makes a backup of the disc as it is, which shows that the restore begins.
func TestRestoreAfterABackup(t *testing.T) {
	for name, moves := range map[string]bool{"then the disc moves": true, "the disc was never seen moving": false} {
		t.Run(name, func(t *testing.T) {
			onDisc(t, func(c *copies) {
				restore := c.acceptedRestore()
				began := time.Now()
				c.later(5*time.Second, func(m *emulator.Machine) {
					d := &m.Discs[0]
					d.Backups.Taken = append(d.Backups.Taken, emulator.Backup{ID: 7777, Label: "before", Size: d.Size, Manual: true, Began: began, Stored: began.Add(time.Minute), Grade: "sata"})
				})
				atLeast := time.Minute
				if moves {
					c.moves(65*time.Second, 5*time.Minute)
					atLeast = 5 * time.Minute
				}
				c.d.MustInvoke(c.Context(), discRestore, restore)
				if waited := time.Since(began); waited < atLeast || waited > atLeast+20*time.Second {
					c.Errorf("reported as restored after %s", waited)
				}
			})
		})
	}
}

// TestCopiesThatCannotCome: a wait ends when its disc is gone, and when a backup that was listed is missing.
func TestCopiesThatCannotCome(t *testing.T) {
	purgeDisc := func(m *emulator.Machine) { m.Discs = m.Discs[1:] }
	for name, test := range map[string]struct {
		action string
		change func(*emulator.Machine)
		soon   time.Duration
		says   string
	}{
		"a backup, the disc is purged":  {discBackup, purgeDisc, 10 * time.Second, "is no longer on virtual machine"},
		"a restore, the disc is purged": {discRestore, purgeDisc, 10 * time.Second, "is no longer on virtual machine"},
		"a backup, the machine is deleted": {
			discBackup, func(m *emulator.Machine) { m.Deleted = true }, 10 * time.Second, "is soft-deleted",
		},
		"a backup that is deleted": {
			discBackup, func(m *emulator.Machine) { m.Discs[0].Backups.Taken = nil }, 40 * time.Second,
			"was listed, and has been missing for 30s: it was deleted, or it has failed.",
		},
	} {
		t.Run(name, func(t *testing.T) {
			onDisc(t, func(c *copies) {
				config := c.order(nil)
				if test.action == discRestore {
					config = c.acceptedRestore()
					c.moves(time.Second, time.Hour)
				}
				began := time.Now()
				c.later(time.Minute, test.change)
				_, diags := c.d.Invoke(c.Context(), test.action, config)
				acctest.ExpectError(c.T, acctest.Errors(diags), test.says)
				if text := acctest.DiagText(diags); strings.Contains(text, "without Terraform") {
					c.Error(text)
				}
				if waited := time.Since(began) - time.Minute; waited > test.soon {
					c.Errorf("ended %s after it", waited)
				}
			})
		})
	}
}

// TestCopiesEndAfterLastingRefusals: a wait ends if the service answers nothing but refusals for two minutes.
func TestCopiesEndAfterLastingRefusals(t *testing.T) {
	refusing := func(status int) func(*copies) {
		return func(c *copies) { c.e.Inject(emulator.Fault{Status: status}) }
	}
	for name, test := range map[string]struct {
		refuse func(*copies)
		says   string
	}{
		"401":              {refusing(http.StatusUnauthorized), "answered 401 Unauthorized"},
		"403":              {refusing(http.StatusForbidden), "answered 403 Forbidden"},
		"a hidden account": {func(c *copies) { c.e.CloseAccount(emulator.DemoAccount, true) }, "cannot see account"},
	} {
		for _, action := range []string{discBackup, discRestore} {
			t.Run(action+", "+name, func(t *testing.T) {
				onDisc(t, func(c *copies) {
					config := c.order(nil)
					if action == discRestore {
						config = c.acceptedRestore()
						c.moves(time.Second, time.Hour)
					}
					began := time.Now()
					time.AfterFunc(time.Minute, func() { test.refuse(c) })
					_, diags := c.d.Invoke(c.Context(), action, config)
					acctest.ExpectError(c.T, acctest.Errors(diags), "gave up; last seen", test.says, "goes on without Terraform")
					if took := time.Since(began) - time.Minute; took < 2*time.Minute || took > 150*time.Second {
						c.Errorf("ended after %s", took)
					}
				})
			})
		}
	}
}

// acceptedRestore takes a backup, makes the service answer 200 to its restore without doing anything, and returns the
// configuration that restores it.
func (c *copies) acceptedRestore() map[string]any {
	c.Helper()
	c.d.MustInvoke(c.Context(), discBackup, c.order(nil))
	id := c.listed().Get("backups.0.id").(string)
	c.fault(http.MethodPut, "/backups/"+id, emulator.Fault{Status: http.StatusOK, Body: "{}"})
	return c.order(map[string]any{"backup_id": id, "confirm": true})
}

// later changes the machine after a time.
func (c *copies) later(after time.Duration, change func(*emulator.Machine)) {
	time.AfterFunc(after, func() { _ = c.e.Change(c.machine, change) })
}

// moves lets the disc be seen being restored for a time.
func (c *copies) moves(from, to time.Duration) {
	shows := func(grade, next string) func(*emulator.Machine) {
		return func(m *emulator.Machine) {
			for i := range m.Discs { // none, if it was purged
				m.Discs[i].StorageGrade, m.Discs[i].NewStorageGrade = grade, next
			}
		}
	}
	c.later(from, shows("iceberg", "sata"))
	c.later(to, shows("sata", ""))
}
