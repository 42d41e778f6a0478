package cloudserver_test

import (
	"strings"
	"testing"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/cloudserver"
)

// TestAnswers: how calls about "acme", "web" and 7 interpret a successful answer. A change may be answered with the
// object, {} or nothing. The answer to a creation needs the ID, except for a disc, which is found by its label.
func TestAnswers(t *testing.T) {
	t.Parallel()
	for name, want := range map[string]string{ // part of the error; "": the answer is accepted
		`VirtualMachine {"id":7,"name":"web1","hostname":"x.apikey.test.y"}`:                              "its hostname contains the token, the password or a session",
		`VirtualMachine {"id":7,"zone_name":"apikey.test"}`:                                               "its zone_name contains the token",
		`VirtualMachine {"id":7,"hardware_profile":"apikey%2etest"}`:                                      "its hardware_profile contains the token",
		`VirtualMachine {"id":7,"discs":[{"id":8,"label":"apikey.test"}]}`:                                "its label contains the token",
		`VirtualMachine {"id":7,"network_interfaces":[{"id":8,"extra_ips":{"192.0.2.1":"apikey.test"}}]}`: "its extra_ips contains the token",
		`VirtualMachine {"id":7,"keymap":"apikey.test","note":"apikey.test"}`:                             "",
		`Accounts [{"id":1,"name":"apikey.test"}]`:                                                        "its name contains the token",
		`Definitions [{"id":"zone_names","data":["apikey.test"]}]`:                                        "its text contains the token",
		`VirtualMachine `:                                   notUnderstood + "it is empty",
		`VirtualMachine null`:                               notUnderstood + "it is JSON of another shape than this call answers",
		`VirtualMachine []`:                                 notUnderstood + "it is JSON of another shape than this call answers",
		`VirtualMachine {}`:                                 notUnderstood + "it describes no virtual machine",
		`VirtualMachine {"id":null}`:                        notUnderstood + "it describes no virtual machine",
		`VirtualMachine {"id":7`:                            notUnderstood + "it is not JSON",
		`VirtualMachine {"id":7}x`:                          notUnderstood + "it is not JSON",
		`VirtualMachine  <html></html>`:                     notUnderstood + "it is a page for a browser, not JSON; check that endpoint is the base address of the service's HTTP API",
		`Accounts []`:                                       "",
		`Accounts {"id":1}`:                                 "",
		`Accounts {"name":"acme"}`:                          notUnderstood + "it is JSON of another shape than this call answers",
		`Accounts ["x"]`:                                    notUnderstood + "it is JSON of another shape than this call answers",
		`Accounts [{"id":1},null]`:                          notUnderstood + "it is JSON of another shape than this call answers",
		`Definitions {"distributions":[]}`:                  notUnderstood + "it is JSON of another shape than this call answers",
		`AddDisc {"id":4}`:                                  "",
		`AddDisc {}`:                                        "",
		"AddDisc  \n":                                       "",
		`AddDisc <html>`:                                    "the base address of the service's HTTP API",
		`CreateBackupSchedule {"id":4}`:                     "",
		`CreateBackupSchedule {}`:                           notUnderstood + "it describes no backup schedule",
		`TakeBackup `:                                       notUnderstood + "it is empty",
		`VirtualMachine {"id":9,"name":"x"}`:                "an answer for another virtual machine: 9 instead of 7",
		`VirtualMachineByName {"id":9,"name":"x\u001b[2J"}`: `an answer for another virtual machine: "x�[2J" (id 9) instead of "é"`,
		`VirtualMachineByName {"id":9,"name":"É"}`:          "",
		`VirtualMachineAt {"id":9,"name":"7"}`:              "",
		`UpdateVirtualMachine {"id":9}`:                     "an answer for another virtual machine: 9 instead of 7",
		`UpdateVirtualMachine {}`:                           "",
		`UpdateVirtualMachine OK`:                           notUnderstood + "it is not JSON",
		`UpdateVirtualMachine {"error":"x"}`:                notUnderstood + "it reports an error: x",
		`UpdateVirtualMachine {"name":"x"}`:                 notUnderstood + "it describes no virtual machine",
		`Disc {"id":4}`:                                     "an answer for another disc: 4 instead of 7",
		`UpdateDisc {"id":4}`:                               "an answer for another disc: 4 instead of 7",
		`Group {"id":4,"name":"db"}`:                        `an answer for another group: "db" (id 4) instead of "web"`,
		`RenameGroup {"id":7,"name":"another"}`:             "",
		`RenameGroup {"id":5,"name":"dbs"}`:                 "an answer for another group: 5 instead of 7",
		`Account {"id":4,"name":"demo"}`:                    `an answer for another account: "demo" (id 4) instead of "acme"`,
		`Account {"id":4}`:                                  "",
		`IP {"address":"2001:DB8:0::7","rdns":"a.example"}`: "",
		`IP {"ip":"2001:db8::7","rdns":null}`:               "",
		`IP {"rdns":"a.example"}`:                           "",
		`IP {"address":"seven","rdns":"a.example"}`:         "",
		`IP {"address":"2001:db8::8","rdns":"a.example"}`:   "another address: 2001:db8::8 instead of 2001:db8::7",
		`IP {"ip":"192.0.2.1","rdns":"a.example"}`:          "another address: 192.0.2.1",
		`IP {"address":"::ffff:192.0.2.1"}`:                 "another address: 192.0.2.1",
		`SetRDNS {"ip":"192.0.2.1","rdns":"a.example"}`:     "",
		`SetRDNS {"address":"::ffff:192.0.2.1"}`:            "",
		`SetRDNS {}`:                                        "",
		`SetRDNS {"address":"192.0.2.2"}`:                   "another address: 192.0.2.2 instead of 192.0.2.1",
		`SetRDNS <html>`:                                    "page for a browser",
		`DeleteVirtualMachine <html>`:                       "page for a browser",
		`DeleteGroup <html>`:                                "page for a browser",
	} {
		call, body, _ := strings.Cut(name, " ")
		err := do(t.Context(), newClient(t, serve(answer(200, body))), call)
		if want == "" && err != nil || want != "" && (err == nil || !strings.Contains(err.Error(), want)) {
			t.Errorf("%s: got %v, want %q", name, err, want)
		}
	}
	byID := newClient(t, serve(answer(200, `{"id":4,"name":"db"}`)))
	if _, err := byID.Group(t.Context(), "acme", "4"); err != nil {
		t.Errorf("a group by its ID: %v", err)
	}
}

const notUnderstood = "answered 200, but the answer is not understood: "

// TestRenameGroup: a group that is not in the answer is read.
func TestRenameGroup(t *testing.T) {
	t.Parallel()
	for body, want := range map[string]string{
		`[{"id":5,"name":"web"},{"id":7,"name":"dbs"}]`: "",
		`[{"id":5,"name":"dbs"}]`:                       "no group has the id 7",
	} {
		service := serve(answer(200, "{}"), answer(200, body))
		group, err := newClient(t, service).RenameGroup(t.Context(), "acme", "web", 7, "dbs")
		if want == "" && (err != nil || group.Name != "dbs") || want != "" && (err == nil || !strings.Contains(err.Error(), want)) || len(service.journal()) != 2 {
			t.Errorf("%s: got %+v, %v after %d requests", body, group, err, len(service.journal()))
		}
	}
}

// A path takes digits for an ID, so a name of digits is looked up in the list.
func TestLookUpOfNumericName(t *testing.T) {
	t.Parallel()
	client := newClient(t, serve(answer(200, `[{"id":12,"name":"x"},{"id":7,"name":"12"}]`)))
	vm, err := client.VirtualMachineByName(t.Context(), "acme", "default", "12")
	if err != nil || vm.ID != 7 {
		t.Fatalf("got %+v, %v; want machine 7", vm, err)
	}
	if _, err := client.VirtualMachineByName(t.Context(), "acme", "default", "7"); !cloudserver.IsNotFound(err) {
		t.Errorf("got %v, want not found", err)
	}
}
