package cloudserver_test

import (
	"os"
	"path/filepath"
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

// TestMachines decodes the documented machine and unusual ones.
func TestMachines(t *testing.T) {
	t.Parallel()
	transport.AddSecrets("zq-stored-marker")
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
		// A service may put the token into values that a state stores. A name was configured, and is kept.
		"a secret": {`{"id":1,"name":"web-zq-stored-marker","keymap":{"a":"zq-stored-marker"},"last_imaged_with":"zq-stored-marker","management_address":"zq-stored-marker"}`, cloudserver.VirtualMachine{
			ID: 1, Name: "web-zq-stored-marker", Keymap: new(`{"a":"(hidden)"}`), LastImagedWith: new("(hidden)"), ManagementAddress: new("(hidden)"),
		}},
		"absent":           {`{"id":1}`, cloudserver.VirtualMachine{ID: 1}},
		"no key":           {`{"id":1,"":5}`, cloudserver.VirtualMachine{ID: 1}},
		"null":             {`{"id":1,"name":null,"cores":null,"power_on":null,"discs":null,"network_interfaces":null,"head":null,"deleted":null}`, cloudserver.VirtualMachine{ID: 1}},
		"unknown":          {`{"id":1,"flavour":"blue","nested":{"id":2}}`, cloudserver.VirtualMachine{ID: 1}},
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
