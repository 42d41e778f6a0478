package vm_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/acctest"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/emulator"
)

func names(listed []acctest.Listed) []string {
	var names []string
	for _, l := range listed {
		names = append(names, l.DisplayName)
	}
	return names
}

func TestListFilters(t *testing.T) {
	t.Parallel()
	d, e := acctest.Drive(t, emulator.Options{}, nil)
	populate(e)
	for name, test := range map[string]struct {
		config given
		limit  int64
		want   []string
	}{
		"the provider's account": {nil, 0, []string{"default/db1", "default/web1", "default/web2", "private/web1"}},
		"a group":                {given{"group": "private"}, 0, []string{"private/web1"}},
		"limit counts what fits": {given{"name_pattern": "web*", "group": "default"}, 1, []string{"default/web1"}},
		"nothing fits":           {given{"name_pattern": "mail*"}, 0, nil},
	} {
		got := names(d.MustList(t.Context(), "cloudserver_vm", test.config, acctest.ListOptions{Limit: test.limit}))
		if diff := cmp.Diff(test.want, got); diff != "" {
			t.Errorf("%s: results (-want +got):\n%s", name, diff)
		}
	}
}

// What the query generates needs no editing: imported by the listed identity,
// the machine has nothing left to plan.
func TestListGeneratesAConfigurationThatPlansNothing(t *testing.T) {
	inBubble(t, func(t *testing.T, d *acctest.Driver, e *acctest.Emulator) {
		ctx := t.Context()
		populate(e)
		full := given{
			"name": "full", "group": "private", "cores": 2, "memory": 2048, "hardware_profile": "virtio2013", "cdrom_url": "https://example.com/a.iso",
			"disc":    []given{{"label": "vda", "size": 25600}, {"label": "vdb", "size": 51200, "storage_grade": "archive"}},
			"reimage": given{"distribution": "bookworm", "root_password": "marker-1-marker"},
			"ips":     given{"ipv4": "192.0.2.77"},
		}
		d.MustApply(ctx, "cloudserver_vm", nil, full)

		listed := d.MustList(ctx, "cloudserver_vm", nil, acctest.ListOptions{IncludeResource: true})
		if len(listed) != 5 {
			t.Fatalf("want 5 machines, got %v", names(listed))
		}
		for _, l := range listed {
			config := d.GeneratedConfig(ctx, l.Object)
			imported, diags := d.ImportByIdentity(ctx, "cloudserver_vm", given{"id": l.Object.GetIdentity("id")})
			if acctest.HasErrors(diags) {
				t.Fatalf("import %s: %s", l.DisplayName, acctest.DiagText(diags))
			}
			if got := imported.Get("group_id"); l.Object.Get("group_id") != nil || got == nil {
				t.Errorf("group_id is listed as %v, which repeats group, and imported as %v", l.Object.Get("group_id"), got)
			}
			was, is := l.Object.Get("").(map[string]any), imported.Get("").(map[string]any)
			delete(was, "group_id")
			delete(is, "group_id")
			if !cmp.Equal(was, is) {
				t.Errorf("%s is listed as\n%v\nbut imported as\n%v", l.DisplayName, l.Object.Get(""), imported.Get(""))
			}
			if diags := d.Validate("cloudserver_vm", config); acctest.HasErrors(diags) {
				t.Errorf("%s: the generated configuration: %s", l.DisplayName, acctest.DiagText(diags))
			}
			plan := d.ExpectPlan(ctx, imported, config, acctest.ActionNoOp)
			if warnings := plan.Warnings(); len(warnings) > 0 {
				t.Errorf("%s: %s", l.DisplayName, acctest.DiagText(warnings))
			}
		}
	})
}

// TestListErrors: the list and the data source say the same.
func TestListErrors(t *testing.T) {
	t.Parallel()
	for says, test := range map[string]struct{ settings, config given }{
		`error at group: Cannot list the virtual machines of group "nowhere" of account "demo"`: {nil, given{"group": "nowhere"}},
		`error at account: Cannot list the virtual machines of account "nobody"`:                {nil, given{"account": "nobody"}},
		`These credentials can see: "demo".`:                                                    {nil, given{"account": "nobody", "group": "default"}},
		"error at account: Missing account of the virtual machines":                             {given{"account": nil}, nil},
		"error at name_pattern: Invalid name pattern":                                           {nil, given{"name_pattern": "web["}},
	} {
		d, _ := acctest.Drive(t, emulator.Options{}, test.settings)
		_, diags := d.ReadData(t.Context(), "cloudserver_vms", test.config)
		expectSays(t, diags, says)
		results := 0
		for _, diags := range d.List(t.Context(), vmType, test.config, acctest.ListOptions{}) {
			expectSays(t, diags, says)
			results++
		}
		if results != 1 {
			t.Errorf("%d results, want one with %q", results, says)
		}
	}
	d, _ := acctest.Drive(t, emulator.Options{}, given{"token": acctest.Unknown})
	for _, diags := range d.List(t.Context(), vmType, nil, acctest.ListOptions{}) {
		expectSays(t, diags, "Cannot list virtual machines")
	}
}
