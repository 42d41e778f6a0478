package cloudserver_test

import (
	"context"
	"strings"
	"testing"
	"testing/synctest"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/cloudserver"
)

// TestAnswersToChanges: a service may answer a POST or PUT with the object, {} or
// nothing. A group is then read back; what else needs the object finds out by itself.
func TestAnswersToChanges(t *testing.T) {
	t.Parallel()
	type ctx = context.Context
	disc := func(x ctx, c *cloudserver.Client) (int64, error) {
		disc, err := c.AddDisc(x, machine, cloudserver.DiscSpec{Label: "data", Size: 50})
		return valueOr(disc).ID, err
	}
	rename := func(x ctx, c *cloudserver.Client) (int64, error) {
		group, err := c.RenameGroup(x, "acme", "web", 4, "db")
		return valueOr(group).ID, err
	}
	schedule := func(x ctx, c *cloudserver.Client) (int64, error) {
		schedule, err := c.CreateBackupSchedule(x, machine, 3, cloudserver.BackupScheduleSpec{StartAt: "2026-11-21 03:00:00", IntervalSeconds: 60})
		return valueOr(schedule).ID, err
	}
	backup := func(x ctx, c *cloudserver.Client) (int64, error) {
		backup, err := c.TakeBackup(x, machine, 3)
		return valueOr(backup).ID, err
	}
	const db, unknown = `[{"id":5,"name":"web"},{"id":4,"name":"db"}]`, "but the answer is not understood: it describes no backup"
	for name, test := range map[string]struct {
		do       func(ctx, *cloudserver.Client) (int64, error)
		steps    []step
		requests string
		id       int64
		fails    string // part of the error; "": success
	}{
		"disc":                     {disc, []step{answer(201, `{"id":4,"label":"data","virtual_machine_id":7}`)}, "POST", 4, ""},
		"disc, {}":                 {disc, []step{answer(201, `{}`)}, "POST", 0, ""},
		"disc, nothing":            {disc, []step{answer(202, " \n")}, "POST", 0, ""},
		"disc, a page":             {disc, []step{answer(200, "<html>")}, "POST", 0, "a page for a browser"},
		"disc, refused":            {disc, []step{answer(400, `{"label":"is taken"}`)}, "POST", 0, "label is taken"},
		"group":                    {rename, []step{answer(200, `{"id":4,"name":"db"}`)}, "PUT", 4, ""},
		"group, {}":                {rename, []step{answer(200, "{}"), answer(200, db)}, "PUT GET", 4, ""},
		"group, OK":                {rename, []step{answer(200, "OK"), answer(200, db)}, "PUT GET", 4, ""},
		"group, not there":         {rename, []step{answer(404, "")}, "PUT", 0, "404"},
		"group, another's answer":  {rename, []step{answer(200, `{"id":5,"name":"db"}`)}, "PUT", 0, "another group: 5 instead of 4"},
		"group, read back another": {rename, []step{answer(200, "{}"), answer(200, `[{"id":5,"name":"db"}]`)}, "PUT GET", 0, `no group has the id 4`},
		"schedule":                 {schedule, []step{answer(201, `{"id":4}`)}, "POST", 4, ""},
		"schedule, {}":             {schedule, []step{answer(201, "{}")}, "POST", 0, unknown},
		"backup":                   {backup, []step{answer(202, `{"id":4}`)}, "POST", 4, ""},
		"backup, nothing":          {backup, []step{answer(202, "")}, "POST", 0, "it is empty"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				service := serve(test.steps...)
				id, err := test.do(t.Context(), newClient(t, service))
				if got := strings.Join(service.methods(), " "); got != test.requests || id != test.id {
					t.Errorf("got %d by %s, want %d by %s", id, got, test.id, test.requests)
				}
				if test.fails == "" && err != nil || test.fails != "" && (err == nil || !strings.Contains(err.Error(), test.fails)) {
					t.Errorf("got %v; want an error that contains %q", err, test.fails)
				}
			})
		})
	}
}

func valueOr[T any](pointer *T) T {
	if pointer == nil {
		return *new(T)
	}
	return *pointer
}

// TestAnswersForAnother: what calls about "acme", "web" and 7 believe.
func TestAnswersForAnother(t *testing.T) {
	t.Parallel()
	for name, want := range map[string]string{ // of the error; "": accepted
		`VirtualMachine {"id":9,"name":"x"}`:                "an answer for another virtual machine: 9 instead of 7",
		`VirtualMachineByName {"id":9,"name":"x\u001b[2J"}`: `an answer for another virtual machine: "x�[2J" (id 9) instead of "é"`,
		`VirtualMachineByName {"id":9,"name":"É"}`:          "",
		`VirtualMachineAt {"id":9,"name":"7"}`:              "",
		`UpdateVirtualMachine {"id":9}`:                     "an answer for another virtual machine: 9 instead of 7",
		`UpdateVirtualMachine {}`:                           "",
		`UpdateVirtualMachine OK`:                           "",
		`Disc {"id":4}`:                                     "an answer for another disc: 4 instead of 7",
		`UpdateDisc {"id":4}`:                               "an answer for another disc: 4 instead of 7",
		`Group {"id":4,"name":"db"}`:                        `an answer for another group: "db" (id 4) instead of "web"`,
		`RenameGroup {"id":7,"name":"another"}`:             "",
		`Account {"id":4,"name":"demo"}`:                    `an answer for another account: "demo" (id 4) instead of "acme"`,
		`Account {"id":4}`:                                  "",
		`IP {"address":"2001:DB8:0::7","rdns":"a.example"}`: "",
		`IP {"ip":"2001:db8::7","rdns":null}`:               "",
		`IP {"rdns":"a.example"}`:                           "",
		`IP {"address":"seven","rdns":"a.example"}`:         "",
		`IP {"address":"2001:db8::8","rdns":"a.example"}`:   "another address: 2001:db8::8 instead of 2001:db8::7",
		`IP {"ip":"192.0.2.1","rdns":"a.example"}`:          "another address: 192.0.2.1",
		`IP {"address":"::ffff:192.0.2.1"}`:                 "another address: 192.0.2.1",
		`IP []`:                                             "not understood",
		`SetRDNS {"ip":"192.0.2.1","rdns":"a.example"}`:     "",
		`SetRDNS {"address":"::ffff:192.0.2.1"}`:            "",
		`SetRDNS {}`:                                        "",
		`SetRDNS {"address":"192.0.2.2"}`:                   "another address: 192.0.2.2 instead of 192.0.2.1",
		`SetRDNS <html>`:                                    "page for a browser",
	} {
		call, body, _ := strings.Cut(name, " ")
		err := calls()[call].do(t.Context(), newClient(t, serve(answer(200, body))))
		if want == "" && err != nil || want != "" && (err == nil || !strings.Contains(err.Error(), want)) {
			t.Errorf("%s: got %v, want %q", name, err, want)
		}
	}
	byID := newClient(t, serve(answer(200, `{"id":4,"name":"db"}`)))
	if _, err := byID.Group(t.Context(), "acme", "4"); err != nil {
		t.Errorf("a group by its ID: %v", err)
	}
	ip, err := newClient(t, serve(answer(200, `{"ip":"192.0.2.1","rdns":"a.example"}`))).IP(t.Context(), "192.0.2.1")
	if err != nil || ip.Address != "192.0.2.1" || *ip.RDNS != "a.example" {
		t.Errorf("got %+v, %v", ip, err)
	}
}

// A path takes digits for an id, so a name of digits is sought in the list.
func TestLookUpOfNumericName(t *testing.T) {
	t.Parallel()
	service := serve(answer(200, `[{"id":12,"name":"x"},{"id":7,"name":"12"}]`))
	client := newClient(t, service)
	vm, err := client.VirtualMachineByName(t.Context(), "acme", "default", "12")
	if err != nil || vm.ID != 7 {
		t.Fatalf("got %+v, %v; want machine 7", vm, err)
	}
	if path := service.journal()[0].path; path != "/base/accounts/acme/groups/default/virtual_machines" {
		t.Errorf("looked up by %s", path)
	}
	if _, err := client.VirtualMachineByName(t.Context(), "acme", "default", "7"); !cloudserver.IsNotFound(err) {
		t.Errorf("got %v, want not found", err)
	}
}
