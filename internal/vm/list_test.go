// SPDX-License-Identifier: MPL-2.0

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
		"the provider's account": {want: []string{"default/db1", "default/web1", "default/web2", "private/web1"}},
		"a group":                {config: given{"group": "private"}, want: []string{"private/web1"}},
		"limit counts what fits": {
			config: given{"name_pattern": "web*", "group": "default"},
			limit:  1,
			want:   []string{"default/web1"},
		},
		"nothing fits": {config: given{"name_pattern": "mail*"}},
		"soft-deleted machines as well": {
			config: given{"group": "default", "include_deleted": true},
			want:   []string{"default/db1", "default/old (soft-deleted)", "default/web1", "default/web2"},
		},
		"of all groups": {
			config: given{"name_pattern": "[ow]*", "include_deleted": true},
			want:   []string{"default/old (soft-deleted)", "default/web1", "default/web2", "private/web1"},
		},
	} {
		got := names(d.MustList(t.Context(), "cloudserver_vm", test.config, acctest.ListOptions{Limit: test.limit}))
		if diff := cmp.Diff(test.want, got); diff != "" {
			t.Errorf("%s: results (-want +got):\n%s", name, diff)
		}
	}
}

// TestListedIsImported: with include_resource, a listed machine equals the one that an import by the listed identity
// reads, except for the group's ID, which would repeat its name. The generated configuration plans no change.
func TestListedIsImported(t *testing.T) {
	inBubble(t, func(t *testing.T, d *acctest.Driver, e *acctest.Emulator) {
		ctx := t.Context()
		populate(e)
		d.MustApply(ctx, vmType, nil, configured(image, addressed, given{"name": "full", "cores": 2, "cdrom_url": "https://example.com/a.iso", "disc": discs("vda:25600", "vdb:51200:archive")}))
		e.AddMachine("demo", "default", emulator.Machine{Name: "starting", AutorebootOn: true, Discs: []emulator.Disc{{Label: "data", Size: 51200}, {Label: "vda", Size: 25600}}})
		listed := d.MustList(ctx, vmType, nil, acctest.ListOptions{IncludeResource: true})
		if len(listed) != 6 {
			t.Fatalf("want 6 machines, got %v", names(listed))
		}
		for _, l := range listed {
			imported, diags := d.ImportByIdentity(ctx, vmType, given{"id": l.Object.GetIdentity("id")})
			if acctest.HasErrors(diags) {
				t.Fatalf("import %s: %s", l.DisplayName, acctest.DiagText(diags))
			}
			was, is := l.Object.Get("").(map[string]any), imported.Get("").(map[string]any)
			if diff := cmp.Diff(is, was); diff != "" {
				t.Errorf("%s: -imported +listed\n%s", l.DisplayName, diff)
			}
			if plan := d.ExpectPlan(ctx, imported, d.GeneratedConfig(ctx, l.Object), noop); len(plan.Diagnostics) > 0 {
				t.Errorf("%s: %s", l.DisplayName, acctest.DiagText(plan.Diagnostics))
			}
		}
	})
}

// TestListErrors: the list and the data source report the same errors.
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
