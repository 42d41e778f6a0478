// SPDX-License-Identifier: MPL-2.0

package cloudserver_test

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/cloudserver"
)

func document(t testing.TB, name string) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("testdata", name))
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// TestMachines decodes the documented machine and unusual ones.
func TestMachines(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		body string
		want cloudserver.VirtualMachine
	}{
		"documented": {document(t, "virtual_machine.json"), cloudserver.VirtualMachine{
			ID: 345, GroupID: 12, Name: "web1", Hostname: new("web1.default.demo.cluster.example.com"), ManagementAddress: new("198.51.100.7"),
			HardwareProfile: new("virtio2013"), ZoneName: new("york"), LastImagedWith: new("bookworm"), Cores: new(int64(2)), Memory: new(int64(4096)),
			PowerOn: new(true), AutorebootOn: new(true), HardwareProfileLocked: new(false),
			Discs: []cloudserver.Disc{{ID: 678, Label: "vda", Size: 25600, StorageGrade: "sata", StoragePool: "tail1-sata", VirtualMachineID: 345}},
			NetworkInterfaces: []cloudserver.NetworkInterface{{
				ID: 90, MAC: new("02:00:00:00:00:5a"), VLANNum: new(int64(101)),
				IPs: []string{"198.51.100.7", "2001:db8::7"}, ExtraIPs: map[string]string{"203.0.113.9": "198.51.100.7"},
			}},
		}},
		"absent":           {`{"id":1}`, cloudserver.VirtualMachine{ID: 1}},
		"no key":           {`{"id":1,"":5}`, cloudserver.VirtualMachine{ID: 1}},
		"null":             {`{"id":1,"name":null,"cores":null,"power_on":null,"discs":null,"network_interfaces":null,"head":null,"deleted":null}`, cloudserver.VirtualMachine{ID: 1}},
		"unknown":          {`{"id":1,"flavour":"blue","nested":{"id":2}}`, cloudserver.VirtualMachine{ID: 1}},
		"shapes not shown": {`{"id":1,"keymap":{"name": "en-gb"},"head":[1, 2]}`, cloudserver.VirtualMachine{ID: 1, Keymap: new(cloudserver.Text(`{"name":"en-gb"}`)), Head: new(cloudserver.Text(`[1,2]`))}},
		"strings":          {`{"id":1,"keymap":"en-gb","head":"head1"}`, cloudserver.VirtualMachine{ID: 1, Keymap: new(cloudserver.Text("en-gb")), Head: new(cloudserver.Text("head1"))}},
		"no discs":         {`{"id":1,"discs":[]}`, cloudserver.VirtualMachine{ID: 1, Discs: []cloudserver.Disc{}}},
		"odd discs":        {`{"id":1,"discs":[{"id":2,"label":null,"size":5,"migration_progress":3}]}`, cloudserver.VirtualMachine{ID: 1, Discs: []cloudserver.Disc{{ID: 2, Size: 5, MigrationProgress: new(int64(3))}}}},
		"null interface":   {`{"id":1,"network_interfaces":[{"ips":null,"extra_ips":null,"label":null}]}`, cloudserver.VirtualMachine{ID: 1, NetworkInterfaces: []cloudserver.NetworkInterface{{}}}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			vm, err := newClient(t, serve(answer(200, test.body, "Content-Type", "application/vnd.any.virtual-machine+json"))).VirtualMachine(t.Context(), test.want.ID)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(&test.want, vm); diff != "" {
				t.Errorf("(-want +got)\n%s", diff)
			}
		})
	}
}

// TestUnreadableAnswers: an answer 200 that does not describe the requested object is an ambiguous failure, which says
// what is wrong.
func TestUnreadableAnswers(t *testing.T) {
	t.Parallel()
	for body, want := range map[string]string{
		`VirtualMachine `:                               "it is empty",
		`VirtualMachine {}`:                             "it is empty",
		`VirtualMachine OK`:                             "it is not JSON",
		`VirtualMachine {"id":7,"na`:                    "it is not JSON",
		`VirtualMachine <html></html>`:                  "it is a page for a browser",
		`VirtualMachine [{"id":7}]`:                     "it has a JSON array in place of an object",
		`VirtualMachine {"name":"web1"}`:                "it describes no virtual machine",
		`VirtualMachine {"id":8}`:                       "it is about another virtual machine: ID 8 instead of 7",
		`VirtualMachine {"id":7,"power_on":"yes"}`:      "it has a JSON string in place of power_on",
		`VirtualMachine {"id":7,"cores":2.5}`:           "it has a JSON number 2.5 in place of cores",
		`VirtualMachine {"id":7,"discs":[{"size":{}}]}`: "it has a JSON object in place of",
		`Disc {"id":8}`:                                 "it is about another disc: ID 8 instead of 7",
		`UpdateVirtualMachine {"id":8}`:                 "it is about another virtual machine",
		`UpdateDisc {"id":8}`:                           "it is about another disc",
		`RenameGroup {"id":8}`:                          "it is about another group",
		`UpdateVirtualMachine OK`:                       "it is not JSON",
		`UpdateVirtualMachine {"error":"no"}`:           "it describes no virtual machine",
		`Signal <html>`:                                 "it is a page for a browser",
		`DeleteGroup <html>`:                            "it is a page for a browser",
		`TakeBackup {}`:                                 "it is empty",
		`CreateBackupSchedule {}`:                       "it is empty",
		`IP {"address":"192.0.2.1"}`:                    "it is about another address: 192.0.2.1 instead of 2001:db8::7",
		`Definitions {}`:                                "it has a JSON object in place of a list",
		`VirtualMachines null`:                          "it is not a list",
		`VirtualMachines "x"`:                           "it has a JSON string in place of a list",
		`VirtualMachines [{"id":1},{"name":"web1"}]`:    "an element describes no virtual machine",
		`VirtualMachines [{"id":1},null]`:               "an element describes no virtual machine",
		`VirtualMachines [{"id":1},"x"]`:                "it has a JSON string in place of",
		`VirtualMachines {}`:                            "an element describes no virtual machine",
	} {
		name, text, _ := strings.Cut(body, " ")
		err := do(t.Context(), newClient(t, serve(answer(200, text))), name)
		if err == nil || !strings.Contains(err.Error(), " answered 200, but the answer is not understood: ") || !strings.Contains(err.Error(), want) || !cloudserver.IsAmbiguous(err) {
			t.Errorf("%s: got %v, want %q", body, err, want)
		}
	}
}

// TestAnswers: what counts as an answer. A change may be answered with the object, {} or nothing, and any 2xx is a
// success.
func TestAnswers(t *testing.T) {
	t.Parallel()
	for _, body := range []string{
		`UpdateVirtualMachine `, `UpdateVirtualMachine {}`, `UpdateVirtualMachine {"id":7}`, `UpdateDisc {}`, `AddDisc {}`, `AddDisc {"id":9}`,
		`RenameGroup `, `SetRDNS {}`, `SetRDNS OK`, `Signal OK`, `ReimageVirtualMachine {"distribution":"bookworm"}`, `DeleteGroup {}`, `PurgeDisc `,
		`IP {}`, `IP {"address":"2001:DB8:0::7","rdns":null}`, `TakeBackup {"id":9,"parent_disc_id":7}`, `Group {"id":3,"name":"x"}`,
	} {
		name, text, _ := strings.Cut(body, " ")
		for _, status := range []int{200, 201, 202, 206} {
			if err := do(t.Context(), newClient(t, serve(answer(status, text))), name); err != nil {
				t.Errorf("%d %s: %v", status, body, err)
			}
		}
	}
	added, err := newClient(t, serve(answer(200, "{}"))).AddDisc(t.Context(), machine, cloudserver.DiscSpec{})
	if added != nil || err != nil {
		t.Errorf("got %v, %v", added, err)
	}
}

// TestLists: a list of one may be a single object, and an empty list is not nil.
func TestLists(t *testing.T) {
	t.Parallel()
	for body, want := range map[string]int{`[]`: 0, `[{"id":1}]`: 1, `{"id":1}`: 1, ` [ {"id":1},{"id":2}]`: 2} {
		machines, err := newClient(t, serve(answer(200, body))).VirtualMachines(t.Context(), "acme", "web")
		if err != nil || machines == nil || len(machines) != want {
			t.Errorf("%s: got %v, %v", body, machines, err)
		}
	}
}

func TestAcceptedDeletion(t *testing.T) {
	t.Parallel()
	for status, want := range map[int]error{204: nil, 200: nil, 202: cloudserver.ErrAccepted} {
		if err := newClient(t, serve(answer(status, ""))).DeleteVirtualMachine(t.Context(), machine, true); !errors.Is(err, want) {
			t.Errorf("%d: got %v", status, err)
		}
	}
}

func TestIsProfileUpgrade(t *testing.T) {
	t.Parallel()
	for profiles, want := range map[[2]string]bool{
		{"virtio2011", "virtio2013"}: true, {"virtio2013", "virtio2011"}: false, {"virtio2013", "virtio2013"}: false,
		{"virtio999", "virtio2013"}: true, {"virtio2013", "virtio10000"}: true, // compared as numbers, not as text
		{"compatibility2011", "virtio2013"}: false, {"virtio", "virtio2013"}: false, {"virtio2013", "virtiox"}: false,
	} {
		if got := cloudserver.IsProfileUpgrade(profiles[0], profiles[1]); got != want {
			t.Errorf("%s: got %v", profiles, got)
		}
	}
}
