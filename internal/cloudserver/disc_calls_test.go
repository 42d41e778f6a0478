package cloudserver_test

import (
	"context"
	"strings"
	"testing"
	"testing/synctest"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/cloudserver"
)

const discsOf7 = "/accounts/acme/groups/web/virtual_machines/7/discs"

// TestDiscAndBackupCalls covers the calls of API.md §4 that TestCalls does not.
func TestDiscAndBackupCalls(t *testing.T) {
	t.Parallel()
	vm := cloudserver.Ref{Account: "acme", Group: "web", ID: 7}
	schedule := cloudserver.BackupScheduleSpec{StartAt: "2026-11-21 03:00:00", IntervalSeconds: 604800, Capacity: pointer(int64(1))}
	for name, test := range map[string]struct {
		do   caller
		want string // method, path and body
	}{
		"disc": {func(ctx context.Context, c *cloudserver.Client) error {
			return result(c.Disc(ctx, 3))
		}, "GET /discs/3? "},
		"discs": {func(ctx context.Context, c *cloudserver.Client) error {
			return result(c.Discs(ctx, vm))
		}, "GET " + discsOf7 + "? "},
		"move": {func(ctx context.Context, c *cloudserver.Client) error {
			return result(c.UpdateDisc(ctx, vm, 3, cloudserver.DiscUpdate{VirtualMachineID: pointer(int64(8))}))
		}, "PUT " + discsOf7 + `/3? {"virtual_machine_id":8}`},
		"create schedule": {func(ctx context.Context, c *cloudserver.Client) error {
			return result(c.CreateBackupSchedule(ctx, vm, 3, schedule))
		}, "POST " + discsOf7 + `/3/backup_schedules? {"start_at":"2026-11-21 03:00:00","interval_seconds":604800,"capacity":1}`},
		"delete schedule": {func(ctx context.Context, c *cloudserver.Client) error {
			return c.DeleteBackupSchedule(ctx, vm, 3, 5)
		}, "DELETE " + discsOf7 + "/3/backup_schedules/5? "},
		"backups": {func(ctx context.Context, c *cloudserver.Client) error {
			return result(c.Backups(ctx, vm, 3))
		}, "GET " + discsOf7 + "/3/backups? "},
		"take": {func(ctx context.Context, c *cloudserver.Client) error {
			return result(c.TakeBackup(ctx, vm, 3))
		}, "POST " + discsOf7 + "/3/backups? {}"},
		"restore": {func(ctx context.Context, c *cloudserver.Client) error {
			return c.RestoreBackup(ctx, vm, 3, 9)
		}, "PUT " + discsOf7 + `/3/backups/9? {"restore":true}`},
		"machines of an account": {func(ctx context.Context, c *cloudserver.Client) error {
			return result(c.VirtualMachinesOfAccount(ctx, 12, cloudserver.IncludeDeleted))
		}, "GET /virtual_machines?account_id=12&include_deleted=true&view=overview "},
		"without overview": {func(ctx context.Context, c *cloudserver.Client) error {
			return result(c.VirtualMachines(ctx, "acme", "web", cloudserver.WithoutOverview))
		}, "GET /accounts/acme/groups/web/virtual_machines? "},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			service := serve(answer(200, `{"id":3}`))
			if err := test.do(t.Context(), newClient(t, service)); err != nil {
				t.Fatal(err)
			}
			got := service.journal()[0]
			if text := got.method + " " + strings.TrimPrefix(got.path, "/base") + "?" + got.query + " " + got.body; text != test.want {
				t.Errorf("got  %s\nwant %s", text, test.want)
			}
		})
	}
}

// A service may answer a POST with the object, {} or nothing.
func TestWhatIsAddedIsReadBack(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		steps    []step
		requests string
		id       int64
		fails    string
	}{
		"object":                  {[]step{answer(201, `{"id":4,"label":"data","virtual_machine_id":7}`)}, "POST", 4, ""},
		"empty object":            {[]step{answer(201, `{}`), answer(200, `[{"id":3,"label":"DATA"},{"id":4,"label":"data"}]`)}, "POST GET", 4, ""},
		"nothing":                 {[]step{answer(201, ""), answer(200, `[{"id":4,"label":"data"}]`)}, "POST GET", 4, ""},
		"202":                     {[]step{answer(202, " \n"), answer(200, `[{"id":4,"label":"data"}]`)}, "POST GET", 4, ""},
		"normalised label":        {[]step{answer(201, `{}`), answer(200, `[{"id":3,"label":"vda"},{"id":4,"label":"Data"}]`)}, "POST GET", 4, ""},
		"not there":               {[]step{answer(201, `{}`), answer(200, `[{"id":3,"label":"vda"}]`)}, "POST GET", 0, `the machine has no disc with this label`},
		"cannot be read back":     {[]step{answer(201, `{}`), answer(403, "")}, "POST GET", 0, `its ID is not known: GET`},
		"a page":                  {[]step{answer(200, "<html>")}, "POST", 0, "a page for a browser"},
		"another machine's":       {[]step{answer(201, `{"id":5,"virtual_machine_id":8}`), answer(200, `[{"id":4,"label":"data"}]`)}, "POST GET", 4, ""},
		"refused":                 {[]step{answer(400, `{"label":"is taken"}`)}, "POST", 0, "label is taken"},
		"not repeated after 500":  {[]step{answer(500, "")}, "POST", 0, "500"},
		"not repeated after loss": {[]step{cut}, "POST", 0, "reset"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				service := serve(test.steps...)
				disc, err := newClient(t, service).AddDisc(t.Context(), machine, cloudserver.DiscSpec{Label: "data", Size: 50})
				if got := strings.Join(service.methods(), " "); got != test.requests {
					t.Errorf("requests %s, want %s", got, test.requests)
				}
				if test.fails == "" && (err != nil || disc.ID != test.id) || test.fails != "" && (err == nil || disc != nil || !strings.Contains(err.Error(), test.fails)) {
					t.Errorf("got %+v, %v; want an error that contains %q", disc, err, test.fails)
				}
			})
		})
	}
}

func TestBackupsAreReadBack(t *testing.T) {
	t.Parallel()
	spec := cloudserver.BackupScheduleSpec{StartAt: "2026-11-21 03:00:00", IntervalSeconds: 60}
	service := serve(answer(201, "{}"), answer(200, `{"id":3,"backup_schedules":[{"id":6,"start_at":"2026-11-21 03:00:00","interval_seconds":60,"capacity":2},{"id":5,"start_at":"2026-11-21 03:00:00","interval_seconds":60},{"id":7,"start_at":"x"}]}`))
	if created, err := newClient(t, service).CreateBackupSchedule(t.Context(), machine, 3, spec); err != nil || created.ID != 6 {
		t.Errorf("schedule: got %+v, %v", created, err)
	}
	service = serve(answer(202, ""), answer(200, `[{"id":8,"manual":true,"parent_disc_id":3},{"id":9,"manual":false},{"id":4,"manual":true}]`))
	taken, err := newClient(t, service).TakeBackup(t.Context(), machine, 3)
	if err != nil || taken.ID != 8 || taken.ParentDiscID != 3 || taken.Manual == nil || !*taken.Manual {
		t.Errorf("backup: got %+v, %v", taken, err)
	}
}

func TestAnswersForAnother(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		do     caller
		answer string
		want   string // "": accepted
	}{
		"machine": {func(ctx context.Context, c *cloudserver.Client) error {
			return result(c.VirtualMachine(ctx, 7))
		}, `{"id":9,"name":"x"}`, "an answer for another virtual machine: 9 instead of 7"},
		"machine by name": {func(ctx context.Context, c *cloudserver.Client) error {
			return result(c.VirtualMachineByName(ctx, "acme", "web", "web1"))
		}, `{"id":9,"name":"x\u001b[2J"}`, `an answer for another virtual machine: "x�[2J" (id 9) instead of "web1"`},
		"machine by name, normalised": {func(ctx context.Context, c *cloudserver.Client) error {
			return result(c.VirtualMachineByName(ctx, "acme", "web", "Web1"))
		}, `{"id":9,"name":"web1"}`, ""},
		"changed machine": {func(ctx context.Context, c *cloudserver.Client) error {
			return result(c.UpdateVirtualMachine(ctx, machine, cloudserver.VirtualMachineUpdate{Name: pointer("b")}))
		}, `{"id":9}`, "an answer for another virtual machine: 9 instead of 7"},
		"disc": {func(ctx context.Context, c *cloudserver.Client) error {
			return result(c.Disc(ctx, 3))
		}, `{"id":4}`, "an answer for another disc: 4 instead of 3"},
		"changed disc": {func(ctx context.Context, c *cloudserver.Client) error {
			return result(c.UpdateDisc(ctx, machine, 3, cloudserver.DiscUpdate{Label: pointer("b")}))
		}, `{"id":4}`, "an answer for another disc: 4 instead of 3"},
		"group": {
			func(ctx context.Context, c *cloudserver.Client) error {
				return result(c.GroupAlone(ctx, "acme", "web"))
			},
			`{"id":4,"name":"db"}`, `an answer for another group: "db" (id 4) instead of "web"`,
		},
		"group by id": {func(ctx context.Context, c *cloudserver.Client) error {
			return result(c.Group(ctx, "acme", "4"))
		}, `{"id":4,"name":"db"}`, ""},
		"renamed group": {func(ctx context.Context, c *cloudserver.Client) error {
			return result(c.RenameGroup(ctx, "acme", "web", 4, "db"))
		}, `{"id":4,"name":"db"}`, ""},
		"account": {func(ctx context.Context, c *cloudserver.Client) error {
			return result(c.AccountAlone(ctx, "acme"))
		}, `{"id":4,"name":"demo"}`, `an answer for another account: "demo" (id 4) instead of "acme"`},
		"account without a name": {func(ctx context.Context, c *cloudserver.Client) error {
			return result(c.Account(ctx, "acme"))
		}, `{"id":4}`, ""},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			err := test.do(t.Context(), newClient(t, serve(answer(200, test.answer))))
			if test.want == "" && err != nil || test.want != "" && (err == nil || !strings.Contains(err.Error(), test.want)) {
				t.Errorf("got %v, want %q", err, test.want)
			}
		})
	}
}
