package vm_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/acctest"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/emulator"
)

const (
	accountListing = "GET /accounts/demo?view=overview"
	groupListing   = "GET /accounts/demo/groups/1002/virtual_machines?view=overview"
)

// populate adds machines in two groups, one of them soft-deleted, and one in another account.
func populate(e *acctest.Emulator) {
	e.AddMachine("demo", "default", emulator.Machine{Name: "web2", PowerOn: true, ZoneName: "york"})
	e.AddMachine("demo", "private", emulator.Machine{Name: "web1", ZoneName: "manchester"})
	e.AddMachine("demo", "default", emulator.Machine{Name: "web1", PowerOn: true, HardwareProfile: "compatibility2013"})
	e.AddMachine("demo", "default", emulator.Machine{Name: "db1"})
	e.SoftDelete(e.AddMachine("demo", "default", emulator.Machine{Name: "old"}))
	e.AddAccount("other", false)
	e.AddMachine("other", "default", emulator.Machine{Name: "theirs"})
}

func TestVMsAreChosenAndSorted(t *testing.T) {
	t.Parallel()
	d, e := acctest.Drive(t, emulator.Options{}, nil)
	populate(e)
	for name, test := range map[string]struct {
		config given
		want   string // group/name …
		call   string
	}{
		"account": {want: "default/db1 private/web1 default/web1 default/web2", call: accountListing},
		"group": {
			config: given{"group": "default"},
			want:   "default/db1 default/web1 default/web2",
			call:   groupListing,
		},
		"chosen": {
			config: given{"name_pattern": "web[0-9]", "power_on": true, "zone_name": "york", "hardware_profile": "virtio2013"},
			want:   "default/web2",
			call:   accountListing,
		},
		"another account": {
			config: given{"account": "other"},
			want:   "default/theirs",
			call:   "GET /accounts/other?view=overview",
		},
		"deleted": {
			config: given{"include_deleted": true},
			want:   "default/db1 default/old private/web1 default/web1 default/web2",
			call:   "GET /accounts/demo?include_deleted=true&view=overview",
		},
		"deleted, of group": {
			config: given{"include_deleted": true, "group": "default", "name_pattern": "o*"},
			want:   "default/old",
			call:   "GET /accounts/demo/groups/1002/virtual_machines?include_deleted=true&view=overview",
		},
	} {
		_, _ = d.ReadData(t.Context(), "cloudserver_group", object{"name": "default"}) // its ID, for a minute
		e.ResetJournal()
		o, diags := d.ReadData(t.Context(), "cloudserver_vms", test.config)
		if acctest.HasErrors(diags) {
			t.Errorf("%s: %s", name, acctest.DiagText(diags))
			continue
		}
		if got := strings.Join(locationsOf(o), " "); got != test.want {
			t.Errorf("%s: want %s, got %s", name, test.want, got)
		}
		if got := e.AllCalls(); !slices.Equal(got, []string{test.call}) {
			t.Errorf("%s: requests %v, want %s", name, got, test.call)
		}
	}
}

// locationsOf returns the found machines as group/name.
func locationsOf(o *acctest.Object) []string {
	var found []string
	for i := 0; ; i++ {
		name, ok := o.Get(fmt.Sprintf("virtual_machines.%d.name", i)).(string)
		if !ok {
			return found
		}
		found = append(found, fmt.Sprintf("%v/%s", o.Get(fmt.Sprintf("virtual_machines.%d.group", i)), name))
	}
}

// TestVMsAreWhatIsThereNow: an earlier listing does not answer a question about the whole group.
func TestVMsAreWhatIsThereNow(t *testing.T) {
	t.Parallel()
	d, e := acctest.Drive(t, emulator.Options{}, nil)
	populate(e)
	for want := 3; want < 5; want++ {
		o, diags := d.ReadData(t.Context(), "cloudserver_vms", given{"group": "default"})
		if acctest.HasErrors(diags) || len(locationsOf(o)) != want {
			t.Errorf("want %d, got %v\n%s", want, locationsOf(o), acctest.DiagText(diags))
		}
		e.AddMachine("demo", "default", emulator.Machine{Name: "new"})
	}
}
