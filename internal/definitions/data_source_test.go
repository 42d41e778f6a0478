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

// read reads the data source against an emulator whose definitions are reshaped.
func read(t *testing.T, reshape func(map[string]any)) (*acctest.Object, string) {
	t.Helper()
	d, e := acctest.Drive(t, emulator.Options{}, map[string]any{"max_retries": 0})
	e.SetDefinitions(reshape)
	o, diags := d.ReadData(t.Context(), typeName, nil)
	return o, acctest.DiagText(diags)
}

func TestDefinitionsWithAndWithoutCredentials(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		settings map[string]any
		zones    []any
	}{
		"without":        {map[string]any{"token": nil, "account": nil}, []any{"york", "manchester"}},
		"unknown token":  {map[string]any{"token": acctest.Unknown}, []any{"york", "manchester"}},
		"with a token":   {nil, []any{"york", "manchester", emulator.HiddenZone}},
		"with a session": {map[string]any{"token": nil, "username": "demo", "password": "demo"}, []any{"york", "manchester", emulator.HiddenZone}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			d, _ := acctest.Drive(t, emulator.Options{}, test.settings)
			o, diags := d.ReadData(t.Context(), typeName, nil)
			if len(diags) > 0 {
				t.Fatal(acctest.DiagText(diags))
			}
			if o.Get("distribution_descriptions.bookworm") != "Debian 12 (Bookworm)" || o.Get("storage_grades.0") != "sata" {
				t.Errorf("got %v", o.Get(""))
			}
			if diff := cmp.Diff(test.zones, o.Get("zone_names")); diff != "" {
				t.Errorf("zones (-want +got)\n%s", diff)
			}
		})
	}
}

// TestDefinitionsOfOddShapes: what has no specified shape is taken as it comes,
// and the raw answer keeps what fits nowhere (API.md §6).
func TestDefinitionsOfOddShapes(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		set  string
		data any // nil: the set is missing
		at   string
		want any
	}{
		"keymaps as an object":                   {"keymaps", map[string]any{"de": map[string]any{"id": 1}}, "keymaps", []any{"de"}},
		"sendkeys as objects in an array":        {"sendkeys", []any{map[string]any{"key": "f1"}}, "sendkeys", []any{`{"key":"f1"}`}},
		"distributions that are no strings":      {"distributions", []any{"bookworm", 12, nil}, "distributions", []any{"bookworm", "12", "null"}},
		"descriptions that are objects":          {"distribution_descriptions", map[string]any{"bookworm": map[string]any{"name": "Debian"}}, "distribution_descriptions.bookworm", `{"name":"Debian"}`},
		"descriptions in the order of their set": {"storage_grade_descriptions", []any{"standard", "fast", "cheap"}, "storage_grade_descriptions.ssd", "fast"},
		"a set that is missing":                  {"zone_names", nil, "zone_names", []any{}},
		"descriptions that are missing":          {"distribution_descriptions", nil, "distribution_descriptions", map[string]any{}},
		"a set that is empty":                    {"storage_grades", []any{}, "storage_grades", []any{}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			o, said := read(t, func(sets map[string]any) {
				if delete(sets, test.set); test.data != nil {
					sets[test.set] = test.data
				}
			})
			if said != "" {
				t.Fatal(said)
			}
			if diff := cmp.Diff(test.want, o.Get(test.at)); diff != "" {
				t.Errorf("%s (-want +got)\n%s", test.at, diff)
			}
		})
	}
}

func TestDefinitionsKeepSetsThatNobodyKnows(t *testing.T) {
	t.Parallel()
	o, said := read(t, func(sets map[string]any) { sets["colours"] = []any{"red"} })
	if raw, _ := o.Get("json").(string); said != "" || !strings.Contains(raw, `{"id":"colours","data":["red"]}`) {
		t.Errorf("json is %v\n%s", o.Get("json"), said)
	}
}

func TestDefinitionsOfTheWrongKindNameTheSet(t *testing.T) {
	t.Parallel()
	for set, test := range map[string]struct {
		data any
		says string
	}{
		"distributions":              {"bookworm", `the set "distributions" should be an array, but is a string.`},
		"storage_grades":             {map[string]any{"sata": true}, `the set "storage_grades" should be an array, but is an object.`},
		"keymaps":                    {7, `the set "keymaps" should be an array, but is a number.`},
		"distribution_descriptions":  {"all", `the set "distribution_descriptions" should be an object, but is a string.`},
		"storage_grade_descriptions": {true, `the set "storage_grade_descriptions" should be an object, but is a boolean.`},
	} {
		t.Run(set, func(t *testing.T) {
			t.Parallel()
			o, said := read(t, func(sets map[string]any) { sets[set] = test.data })
			if o != nil || !strings.HasPrefix(said, "error: Cannot read the service's definitions\n") || !strings.Contains(said, test.says) {
				t.Errorf("want %q in\n%s", test.says, said)
			}
		})
	}
}

func TestDefinitionsThatCannotBeHad(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		settings map[string]any
		fault    emulator.Fault
		says     []string
	}{
		"provider not known yet": {map[string]any{"endpoint": acctest.Unknown}, emulator.Fault{}, []string{"The provider's configuration is not known yet (endpoint)", "Apply that first"}},
		"another site":           {nil, emulator.Fault{Status: http.StatusNotFound}, []string{"GET /definitions answered 404 Not Found.", "Check that endpoint in the provider block"}},
		"another site's page":    {nil, emulator.Fault{Status: http.StatusOK, Body: "<html><title>Welcome</title></html>"}, []string{"it is a page for a browser, not JSON; check that endpoint"}},
		"a proxy's error page":   {nil, emulator.Fault{Status: http.StatusBadGateway, Body: "<html><title>502 Bad Gateway</title></html>"}, []string{"GET /definitions answered 502 Bad Gateway.", "Run the same command again later"}},
		"no answer":              {nil, emulator.Fault{Cut: true}, []string{"GET /definitions: cannot reach ", "that it can be reached from here"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			settings := map[string]any{"max_retries": 0}
			for name, value := range test.settings {
				settings[name] = value
			}
			d, e := acctest.Drive(t, emulator.Options{}, settings)
			if test.settings == nil {
				e.Inject(test.fault)
			}
			o, diags := d.ReadData(t.Context(), typeName, nil)
			said := acctest.DiagText(diags)
			if o != nil || len(diags) != 1 || !strings.HasPrefix(said, "error: Cannot read the service's definitions\n") {
				t.Errorf("got %v\n%s", o, said)
			}
			for _, phrase := range test.says {
				if !strings.Contains(said, phrase) {
					t.Errorf("want %q in\n%s", phrase, said)
				}
			}
		})
	}
}
