package vmaction_test

import (
	"bytes"
	"net/http"
	"strings"
	"sync/atomic"
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

// unshown makes the service answer without the list of a machine's discs.
func (c *copies) unshown() emulator.Fault {
	return emulator.Fault{
		Match: func(r emulator.Request) bool {
			return r.Method == http.MethodGet && strings.Contains(r.Path, "/virtual_machines/") && !strings.Contains(r.Path, "/discs")
		},
		Rewrite: func(status int, header http.Header, body []byte) (int, http.Header, []byte) {
			return status, header, bytes.Replace(body, []byte(`"discs":`), []byte(`"later":`), 1)
		},
	}
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

// TestCopiesWhoseAnswersAreLost: neither action is carried out twice.
func TestCopiesWhoseAnswersAreLost(t *testing.T) {
	onDisc(t, func(c *copies) {
		const again = "before you invoke the action again"
		lost, failed := emulator.Fault{AfterEffect: true, Status: http.StatusBadGateway}, emulator.Fault{Status: http.StatusBadGateway}
		c.fault(http.MethodPost, "/backups", lost)
		if said := strings.Join(c.d.MustInvoke(c.Context(), discBackup, c.order(nil)), "\n"); !strings.Contains(said, "It may be somebody else's") {
			c.Errorf("said %s", said)
		}
		acctest.ExpectCalls(c.T, c.e, "POST "+c.backups)
		id := c.listed().Get("backups.0.id").(string)
		restore, put := c.order(map[string]any{"backup_id": id, "confirm": true}), []string{"PUT " + c.backups + "/" + id}
		c.e.ResetJournal()
		c.fault(http.MethodPut, "/backups/"+id, lost)
		c.d.MustInvoke(c.Context(), discRestore, restore)
		acctest.ExpectCalls(c.T, c.e, put...)

		asked := false // the disc is denied after the restore has begun
		after := func(path string) func(emulator.Request) bool {
			return func(r emulator.Request) bool {
				asked = asked || r.Method == http.MethodPut
				return asked && strings.HasPrefix(r.Path, path)
			}
		}
		denied := c.e.Inject(emulator.Fault{Status: http.StatusNotFound, Match: after("/discs/")})
		unshown := c.e.Inject(emulator.Fault{Match: after("/virtual_machines/"), Rewrite: func(status int, header http.Header, body []byte) (int, http.Header, []byte) {
			return status, header, bytes.ReplaceAll(body, []byte(`"discs"`), []byte(`"later"`))
		}})
		c.fails(discRestore, restore, put, "restore of disc vda was accepted", "404", again)
		denied()
		unshown()
		time.Sleep(time.Hour) // it is over
		c.fault(http.MethodPut, "/backups/"+id, failed)
		c.fails(discRestore, restore, put, "Cannot restore disc "+c.disc, "502", "is not being restored now", again)
		c.fault(http.MethodPost, "/backups", failed)
		c.fails(discBackup, c.order(nil), []string{"POST " + c.backups}, "Cannot back up disc "+c.disc, "502", again)
	})
}

func TestCopiesRefused(t *testing.T) {
	onDisc(t, func(c *copies) {
		restore := c.order(map[string]any{"backup_id": "99999", "confirm": true})
		c.fails(discRestore, c.order(map[string]any{"backup_id": "99999", "confirm": false}), nil, "error at confirm")
		if calls := c.e.AllCalls(); len(calls) > 0 {
			c.Errorf("asked the service: %v", calls)
		}
		c.fails(discRestore, restore, nil, "error at backup_id", "Cannot restore disc "+c.disc, "has no backup 99999")
		c.fails(discBackup, order(c.machine, map[string]any{"disc_id": "99999"}), nil, "check disc_id")
		other := c.e.AddMachine(emulator.DemoAccount, emulator.DefaultGroup, emulator.Machine{Name: "web2"})
		c.fails(discBackup, order(other, map[string]any{"disc_id": c.disc}), nil, "error at virtual_machine_id", "is on virtual machine "+text(c.machine)+", not on "+text(other))
		if err := c.e.MigrateDisc(c.machine, "vda", "ssd"); err != nil {
			c.Fatal(err)
		}
		c.fails(discRestore, restore, nil, "is being migrated or restored")
	})
}

// TestBackUpTimesOut: the error mentions that the backup continues.
func TestBackUpTimesOut(t *testing.T) {
	onDisc(t, func(c *copies) {
		c.fails(discBackup, c.order(map[string]any{"timeouts": map[string]any{"invoke": "1m"}}), []string{"POST " + c.backups}, "for backup 1007 to be stored: timed out; last seen: it is being stored; it goes on without Terraform", "goes on without Terraform")
		time.Sleep(15 * time.Minute)
		if c.listed().Get("backups.0.stored") != true {
			c.Error("the backup is not stored")
		}
	})
}

// TestCopiesAreAwaited: neither a short refusal nor a move of the machine ends the wait for a backup or a restore, and
// the machine is found by its ID. A refusal that lasts does.
func TestCopiesAreAwaited(t *testing.T) {
	for name, test := range map[string]struct {
		fault emulator.Fault
		lasts time.Duration
		says  string // "": it ends well
	}{
		"403":          {fault: emulator.Fault{Status: http.StatusForbidden}, lasts: time.Minute},
		"404":          {fault: emulator.Fault{Status: http.StatusNotFound}, lasts: 2 * time.Second},
		"401":          {fault: emulator.Fault{Status: http.StatusUnauthorized}, lasts: time.Minute},
		"503":          {fault: emulator.Fault{Status: http.StatusServiceUnavailable}, lasts: time.Minute},
		"403 for good": {fault: emulator.Fault{Status: http.StatusForbidden}, lasts: time.Hour, says: "is repeated: GET "},
		"moved":        {},
	} {
		for _, action := range []string{discBackup, discRestore} {
			t.Run(name+" "+action, func(t *testing.T) {
				onDisc(t, func(c *copies) {
					backup, err := c.e.BackUpDisc(c.machine, "vda")
					if err != nil {
						c.Fatal(err)
					}
					time.Sleep(time.Hour) // until it is stored
					config := c.order(nil)
					if action == discRestore {
						config = c.order(map[string]any{"backup_id": text(backup), "confirm": true})
					}
					other := c.e.AddGroup("demo", "other", false)
					var asked atomic.Pointer[time.Time] // when the wait has first reported
					began := time.Now()
					test.fault.Match = func(r emulator.Request) bool {
						at := asked.Load()
						return at != nil && time.Since(*at) < test.lasts && time.Since(*at) > 0 && r.Method == http.MethodGet
					}
					if test.fault.Status != 0 {
						c.e.Inject(test.fault)
					}
					_, diags := c.d.Invoke(c.Context(), action, config, func(message string) {
						if now := time.Now(); strings.Contains(message, "last seen") && asked.CompareAndSwap(nil, &now) {
							if test.fault.Status == 0 {
								if err := c.e.Change(c.machine, func(m *emulator.Machine) { m.GroupID = other }); err != nil {
									t.Error(err)
								}
							}
						}
					})
					took := time.Since(began)
					if test.says == "" {
						if acctest.HasErrors(diags) || asked.Load() == nil || took < 10*time.Minute {
							t.Errorf("%s\n%s", took, acctest.DiagText(diags))
						}
						return
					}
					acctest.ExpectError(t, acctest.Errors(diags), test.says, "403")
					if took < 2*time.Minute || took > 3*time.Minute {
						t.Errorf("it took %s", took)
					}
				})
			})
		}
	}
}
