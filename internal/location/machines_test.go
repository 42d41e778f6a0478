package location

import (
	"testing"

	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/cloudserver"
)

func TestFilter(t *testing.T) {
	t.Parallel()
	web := cloudserver.VirtualMachine{Name: "web1", PowerOn: new(true), ZoneName: new("york"), HardwareProfile: new("virtio2013")}
	unreported := cloudserver.VirtualMachine{Name: "web1"}
	for name, test := range map[string]struct {
		filter Filter
		vm     cloudserver.VirtualMachine
		want   bool
	}{
		"nothing asked": {filter: Filter{}, vm: web, want: true},
		"star":          {filter: Filter{NamePattern: types.StringValue("w*1")}, vm: web, want: true},
		"question mark": {filter: Filter{NamePattern: types.StringValue("web?")}, vm: web, want: true},
		"not a range": {
			filter: Filter{NamePattern: types.StringValue("[!a-c]*")},
			vm:     web,
			want:   true,
		},
		"an escaped bracket":      {filter: Filter{NamePattern: types.StringValue(`\[!w]*`)}, vm: web},
		"a part is not the whole": {filter: Filter{NamePattern: types.StringValue("web")}, vm: web},
		"case differs":            {filter: Filter{NamePattern: types.StringValue("WEB*")}, vm: web},
		"off":                     {filter: Filter{PowerOn: types.BoolValue(false)}, vm: web},
		"off, power unreported":   {filter: Filter{PowerOn: types.BoolValue(false)}, vm: unreported},
		"another zone":            {filter: Filter{ZoneName: types.StringValue("manchester")}, vm: web},
		"zone unreported":         {filter: Filter{ZoneName: types.StringValue("york")}, vm: unreported},
		"another profile":         {filter: Filter{HardwareProfile: types.StringValue("virtio2011")}, vm: web},
		"all must fit": {
			filter: Filter{NamePattern: types.StringValue("web*"), PowerOn: types.BoolValue(false)},
			vm:     web,
		},
		"a pattern that is none fails": {filter: Filter{NamePattern: types.StringValue("web[")}, vm: web},
	} {
		if got := test.filter.matches(test.vm); got != test.want {
			t.Errorf("%s: got %t, want %t", name, got, test.want)
		}
	}
}
