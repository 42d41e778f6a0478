package cloudserver_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/cloudserver"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/cloudserver/transport"
)

func document(t testing.TB, name string) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("testdata", name))
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

func documentedMachine() *cloudserver.VirtualMachine {
	return &cloudserver.VirtualMachine{
		ID: 345, GroupID: 12, Name: "web1",
		Hostname:          new("web1.default.demo.cluster.example.com"),
		ManagementAddress: new("198.51.100.7"),
		HardwareProfile:   new("virtio2013"), ZoneName: new("york"), LastImagedWith: new("bookworm"),
		Cores: new(int64(2)), Memory: new(int64(4096)),
		PowerOn: new(true), AutorebootOn: new(true), HardwareProfileLocked: new(false),
		Discs: []cloudserver.Disc{{
			ID: 678, Label: "vda", Size: 25600, StorageGrade: "sata", StoragePool: "tail1-sata", VirtualMachineID: 345,
		}},
		NetworkInterfaces: []cloudserver.NetworkInterface{{
			ID: 90, MAC: new("02:00:00:00:00:5a"), VLANNum: new(int64(101)),
			IPs: []string{"198.51.100.7", "2001:db8::7"}, ExtraIPs: map[string]string{"203.0.113.9": "198.51.100.7"},
		}},
	}
}

// The documented machine, under the media types of any vendor.
func TestDocumentedMachine(t *testing.T) {
	t.Parallel()
	for _, mediaType := range []string{"application/json", "application/vnd.example.virtual-machine+json", "application/vnd.other.virtual-machine+json; charset=utf-8", "text/plain", ""} {
		body := strings.ReplaceAll(document(t, "virtual_machine.json"), "vnd.example", "vnd.other")
		vm, err := newClient(t, serve(answer(200, body, "Content-Type", mediaType))).VirtualMachine(t.Context(), 345)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(documentedMachine(), vm); diff != "" {
			t.Errorf("%s: (-want +got)\n%s", mediaType, diff)
		}
	}
}

func TestDocumentedAccount(t *testing.T) {
	t.Parallel()
	account, err := newClient(t, serve(answer(200, document(t, "account.json")))).Overview(t.Context(), "demo")
	if err != nil {
		t.Fatal(err)
	}
	want := &cloudserver.Account{ID: 3, Name: "demo", Groups: []cloudserver.Group{
		{ID: 12, AccountID: 3, Name: "default", VirtualMachines: []cloudserver.VirtualMachine{{
			ID: 345, Name: "web1", Discs: []cloudserver.Disc{{ID: 678, Label: "vda", Size: 25600}}, NetworkInterfaces: []cloudserver.NetworkInterface{},
		}}},
		{ID: 13, AccountID: 3, Name: "private", VirtualMachines: []cloudserver.VirtualMachine{}},
	}}
	if diff := cmp.Diff(want, account); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
}

func TestOddMachines(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		body string
		want cloudserver.VirtualMachine
	}{
		"absent":           {`{"id":1}`, cloudserver.VirtualMachine{ID: 1}},
		"null":             {`{"id":1,"name":null,"cores":null,"power_on":null,"discs":null,"network_interfaces":null,"head":null,"deleted":null}`, cloudserver.VirtualMachine{ID: 1}},
		"unknown":          {`{"id":1,"colour":"blue","nested":{"id":2}}`, cloudserver.VirtualMachine{ID: 1}},
		"wrong shapes":     {`{"id":1,"name":[1],"cores":"many","memory":{},"power_on":"on","discs":"none","network_interfaces":{},"hostname":5,"deleted":"no"}`, cloudserver.VirtualMachine{ID: 1}},
		"shapes not shown": {`{"id":1,"keymap":{"name": "en-gb"},"head":[1, 2]}`, cloudserver.VirtualMachine{ID: 1, Keymap: new(`{"name":"en-gb"}`), Head: new(`[1,2]`)}},
		"strings":          {`{"id":1,"keymap":"en-gb","head":"head1"}`, cloudserver.VirtualMachine{ID: 1, Keymap: new("en-gb"), Head: new("head1")}},
		"numbers":          {`{"id":"1","cores":2.0,"memory":1e3}`, cloudserver.VirtualMachine{ID: 1, Cores: new(int64(2)), Memory: new(int64(1000))}},
		"broken numbers":   {`{"id":1,"cores":2.5,"memory":1e300}`, cloudserver.VirtualMachine{ID: 1}},
		"no discs":         {`{"id":1,"discs":[]}`, cloudserver.VirtualMachine{ID: 1, Discs: []cloudserver.Disc{}}},
		"odd discs":        {`{"id":1,"discs":[null,"vda",{"id":2,"label":null,"size":"5","storage_grade":7,"migration_progress":3}]}`, cloudserver.VirtualMachine{ID: 1, Discs: []cloudserver.Disc{{ID: 2, Size: 5, MigrationProgress: new(int64(3))}}}},
		"odd interfaces": {
			`{"id":1,"network_interfaces":[{"ips":["192.0.2.1",null,5],"extra_ips":{"192.0.2.2":"192.0.2.1","x":null},"vlan_num":"x"},{"ips":"192.0.2.1","extra_ips":[]},3]}`,
			cloudserver.VirtualMachine{ID: 1, NetworkInterfaces: []cloudserver.NetworkInterface{{IPs: []string{"192.0.2.1"}, ExtraIPs: map[string]string{"192.0.2.2": "192.0.2.1"}}, {}}},
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			vm, err := newClient(t, serve(answer(200, test.body))).VirtualMachine(t.Context(), 1)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(&test.want, vm); diff != "" {
				t.Errorf("(-want +got)\n%s", diff)
			}
		})
	}
}

func TestAnswersWithoutAMachine(t *testing.T) {
	t.Parallel()
	for _, body := range []string{"", "  ", "null", "[]", "{}", `{"id":null}`, `"web1"`, "<html></html>", `{"id":1`} {
		vm, err := newClient(t, serve(answer(200, body))).VirtualMachine(t.Context(), 1)
		if err == nil || !strings.Contains(err.Error(), "GET /virtual_machines/1?view=overview answered 200") || vm != nil {
			t.Errorf("%q: got %v, %v", body, vm, err)
		}
	}
}

func TestLists(t *testing.T) {
	t.Parallel()
	for body, want := range map[string]int{`[]`: 0, `[{"id":1},{"id":2}]`: 2, `{"id":1}`: 1} {
		client := newClient(t, serve(answer(200, body)))
		accounts, err := client.Accounts(t.Context())
		if err != nil || len(accounts) != want {
			t.Errorf("%s: accounts %v, %v", body, accounts, err)
		}
		machines, err := client.VirtualMachines(t.Context(), "a", "g")
		if err != nil || len(machines) != want || machines == nil {
			t.Errorf("%s: machines %v, %v", body, machines, err)
		}
	}
	for _, body := range []string{"", "3", `["x"]`, "[{]"} {
		if accounts, err := newClient(t, serve(answer(200, body))).Accounts(t.Context()); err == nil {
			t.Errorf("%q: got %v and no error", body, accounts)
		}
	}
}

func TestUpdateBody(t *testing.T) {
	t.Parallel()
	for want, update := range map[string]cloudserver.VirtualMachineUpdate{
		`{}`:                     {},
		`{"name":"web2"}`:        {Name: new("web2")},
		`{"cdrom_url":null}`:     {Settings: cloudserver.Settings{CDROMURL: &cloudserver.Nullable{}}},
		`{"keymap":"de"}`:        {Settings: cloudserver.Settings{Keymap: &cloudserver.Nullable{Value: new("de")}}},
		`{"deleted":false}`:      {Deleted: new(false)},
		`{"group_id":3}`:         {GroupID: new(int64(3))},
		`{"power_on":false}`:     {Settings: cloudserver.Settings{PowerOn: new(false)}},
		`{"cores":1,"memory":2}`: {Settings: cloudserver.Settings{Cores: new(int64(1)), Memory: new(int64(2))}},
	} {
		body, err := json.Marshal(update)
		if err != nil || string(body) != want {
			t.Errorf("got %s, %v, want %s", body, err, want)
		}
		if update.IsZero() != (want == "{}") {
			t.Errorf("%s: IsZero is %v", want, update.IsZero())
		}
	}
}

// A service puts the token into what a state stores, and one client of the process
// knows the session that another one opened.
func TestStoredValuesShowNoSecret(t *testing.T) {
	t.Parallel()
	transport.AddSecrets("zq-stored-marker")
	var vm cloudserver.VirtualMachine
	if err := vm.UnmarshalJSON([]byte(`{"id":1,"name":"web-zq-stored-marker","keymap":{"a":"zq-stored-marker"},"last_imaged_with":"zq-stored-marker","management_address":"zq-stored-marker"}`)); err != nil {
		t.Fatal(err)
	}
	if vm.Name != "web-zq-stored-marker" || *vm.Keymap != `{"a":"(hidden)"}` || *vm.LastImagedWith != "(hidden)" || *vm.ManagementAddress != "(hidden)" {
		t.Errorf("got %q, %q, %q, %q", vm.Name, *vm.Keymap, *vm.LastImagedWith, *vm.ManagementAddress)
	}
}

func TestIsProfileUpgrade(t *testing.T) {
	t.Parallel()
	for profiles, want := range map[[2]string]bool{
		{"virtio2011", "virtio2013"}: true, {"virtio2013", "virtio2011"}: false, {"virtio2013", "virtio2013"}: false,
		{"virtio999", "virtio2013"}: true, {"virtio2013", "virtio10000"}: true, // as numbers, not as text
		{"compatibility2011", "virtio2013"}: false, {"virtio", "virtio2013"}: false, {"virtio2013", "virtiox"}: false,
	} {
		if got := cloudserver.IsProfileUpgrade(profiles[0], profiles[1]); got != want {
			t.Errorf("%s: got %v", profiles, got)
		}
	}
}
