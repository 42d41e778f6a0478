package vm

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
		filter filter
		vm     cloudserver.VirtualMachine
		want   bool
	}{
		"nothing asked":                {filter{}, web, true},
		"star":                         {filter{NamePattern: types.StringValue("w*1")}, web, true},
		"question mark":                {filter{NamePattern: types.StringValue("web?")}, web, true},
		"not a range":                  {filter{NamePattern: types.StringValue("[!a-c]*")}, web, true},
		"an escaped bracket":           {filter{NamePattern: types.StringValue(`\[!w]*`)}, web, false},
		"a part is not the whole":      {filter{NamePattern: types.StringValue("web")}, web, false},
		"case differs":                 {filter{NamePattern: types.StringValue("WEB*")}, web, false},
		"off":                          {filter{PowerOn: types.BoolValue(false)}, web, false},
		"off, power unreported":        {filter{PowerOn: types.BoolValue(false)}, unreported, false},
		"another zone":                 {filter{ZoneName: types.StringValue("manchester")}, web, false},
		"zone unreported":              {filter{ZoneName: types.StringValue("york")}, unreported, false},
		"another profile":              {filter{HardwareProfile: types.StringValue("virtio2011")}, web, false},
		"all must fit":                 {filter{NamePattern: types.StringValue("web*"), PowerOn: types.BoolValue(false)}, web, false},
		"a pattern that is none fails": {filter{NamePattern: types.StringValue("web[")}, web, false},
	} {
		if got := test.filter.matches(test.vm); got != test.want {
			t.Errorf("%s: got %t, want %t", name, got, test.want)
		}
	}
}
