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
		"nothing asked":                {Filter{}, web, true},
		"star":                         {Filter{NamePattern: types.StringValue("w*1")}, web, true},
		"question mark":                {Filter{NamePattern: types.StringValue("web?")}, web, true},
		"not a range":                  {Filter{NamePattern: types.StringValue("[!a-c]*")}, web, true},
		"an escaped bracket":           {Filter{NamePattern: types.StringValue(`\[!w]*`)}, web, false},
		"a part is not the whole":      {Filter{NamePattern: types.StringValue("web")}, web, false},
		"case differs":                 {Filter{NamePattern: types.StringValue("WEB*")}, web, false},
		"off":                          {Filter{PowerOn: types.BoolValue(false)}, web, false},
		"off, power unreported":        {Filter{PowerOn: types.BoolValue(false)}, unreported, false},
		"another zone":                 {Filter{ZoneName: types.StringValue("manchester")}, web, false},
		"zone unreported":              {Filter{ZoneName: types.StringValue("york")}, unreported, false},
		"another profile":              {Filter{HardwareProfile: types.StringValue("virtio2011")}, web, false},
		"all must fit":                 {Filter{NamePattern: types.StringValue("web*"), PowerOn: types.BoolValue(false)}, web, false},
		"a pattern that is none fails": {Filter{NamePattern: types.StringValue("web[")}, web, false},
	} {
		if got := test.filter.matches(test.vm); got != test.want {
			t.Errorf("%s: got %t, want %t", name, got, test.want)
		}
	}
}
