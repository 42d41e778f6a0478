// SPDX-License-Identifier: MPL-2.0

package definitions_test

import (
	"net/http"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/acctest"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/emulator"
)

const typeName = "cloudserver_definitions"

func TestMain(m *testing.M) { acctest.Main(m) }

func TestDefinitionsWithAndWithoutCredentials(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		settings map[string]any
		zones    []any
	}{
		"without":        {map[string]any{"token": nil, "account": nil}, []any{"york", "manchester"}},
		"with a token":   {nil, []any{"york", "manchester", emulator.HiddenZone}},
		"with a session": {map[string]any{"token": nil, "username": "demo", "password": "demo"}, []any{"york", "manchester", emulator.HiddenZone}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			d, _ := acctest.Drive(t, emulator.Options{}, test.settings)
			o := d.MustReadData(t.Context(), typeName, nil)
			if o.Get("distribution_descriptions.bookworm") != "Debian 12 (Bookworm)" || o.Get("storage_grades.0") != "sata" {
				t.Errorf("got %v", o.Get(""))
			}
			if diff := cmp.Diff(test.zones, o.Get("zone_names")); diff != "" {
				t.Errorf("zones (-want +got)\n%s", diff)
			}
		})
	}
}

// TestDefinitionsOfOddShapes: a set that is missing, or of another shape, is empty. The raw answer has everything (API.md
// §6).
func TestDefinitionsOfOddShapes(t *testing.T) {
	t.Parallel()
	d, e := acctest.Drive(t, emulator.Options{}, nil)
	e.SetDefinitions(func(sets map[string]any) {
		delete(sets, "zone_names")
		delete(sets, "distribution_descriptions")
		sets["colours"] = []any{"red"}
		sets["keymaps"] = map[string]any{"de": map[string]any{"id": 1}}
	})
	o := d.MustReadData(t.Context(), typeName, nil)
	for at, want := range map[string]any{"zone_names": []any{}, "distribution_descriptions": map[string]any{}, "keymaps": []any{}} {
		if diff := cmp.Diff(want, o.Get(at)); diff != "" {
			t.Errorf("%s (-want +got)\n%s", at, diff)
		}
	}
	raw, _ := o.Get("json").(string)
	for _, set := range []string{`{"id":"colours","data":["red"]}`, `{"id":"keymaps","data":{"de":{"id":1}}}`} {
		if !strings.Contains(raw, set) {
			t.Errorf("json has no %s: %s", set, raw)
		}
	}
}

// TestDefinitionsThatCannotBeHad: the meaning of each answer is tested in cloudserver, and the advice in tfkit.
func TestDefinitionsThatCannotBeHad(t *testing.T) {
	t.Parallel()
	for says, settings := range map[string]map[string]any{
		"The provider's configuration is not known yet (endpoint)":                                               {"endpoint": acctest.Unknown},
		"GET /definitions answered 404 Not Found. Check that endpoint is the base URL of the service's HTTP API": {},
	} {
		d, e := acctest.Drive(t, emulator.Options{}, settings)
		e.Inject(emulator.Fault{Status: http.StatusNotFound})
		_, diags := d.ReadData(t.Context(), typeName, nil)
		acctest.ExpectError(t, diags, "error: Cannot read the service's definitions\n", says)
	}
}
