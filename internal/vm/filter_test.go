package vm

import (
	"testing"

	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/schema/validator"
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
		"nothing asked, none reported": {filter{}, unreported, true},
		"name":                         {filter{NamePattern: types.StringValue("web1")}, web, true},
		"star":                         {filter{NamePattern: types.StringValue("w*1")}, web, true},
		"question mark":                {filter{NamePattern: types.StringValue("web?")}, web, true},
		"not a range":                  {filter{NamePattern: types.StringValue("[!a-c]*")}, web, true},
		"not this range":               {filter{NamePattern: types.StringValue("[!v-x]*")}, web, false},
		"an escaped bracket":           {filter{NamePattern: types.StringValue(`\[!w]*`)}, web, false},
		"range":                        {filter{NamePattern: types.StringValue("web[0-3]")}, web, true},
		"a part is not the whole":      {filter{NamePattern: types.StringValue("web")}, web, false},
		"case differs":                 {filter{NamePattern: types.StringValue("WEB*")}, web, false},
		"on":                           {filter{PowerOn: types.BoolValue(true)}, web, true},
		"off":                          {filter{PowerOn: types.BoolValue(false)}, web, false},
		"off, power unreported":        {filter{PowerOn: types.BoolValue(false)}, unreported, false},
		"zone":                         {filter{ZoneName: types.StringValue("york")}, web, true},
		"another zone":                 {filter{ZoneName: types.StringValue("manchester")}, web, false},
		"zone unreported":              {filter{ZoneName: types.StringValue("york")}, unreported, false},
		"profile":                      {filter{HardwareProfile: types.StringValue("virtio2013")}, web, true},
		"another profile":              {filter{HardwareProfile: types.StringValue("virtio2011")}, web, false},
		"all must fit":                 {filter{NamePattern: types.StringValue("web*"), PowerOn: types.BoolValue(false)}, web, false},
		"a pattern that is none fails": {filter{NamePattern: types.StringValue("web[")}, web, false},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if got := test.filter.matches(test.vm); got != test.want {
				t.Errorf("matches: got %t, want %t", got, test.want)
			}
		})
	}
}

func TestNamePattern(t *testing.T) {
	t.Parallel()
	for pattern, valid := range map[string]bool{"web*": true, "web[0-9]?": true, "": true, "web[": false, `web\`: false} {
		var resp validator.StringResponse
		namePattern.ValidateString(t.Context(), validator.StringRequest{
			Path: path.Root("name_pattern"), ConfigValue: types.StringValue(pattern),
		}, &resp)
		if resp.Diagnostics.HasError() == valid {
			t.Errorf("pattern %q: want valid %t, got %v", pattern, valid, resp.Diagnostics)
		}
	}
}
