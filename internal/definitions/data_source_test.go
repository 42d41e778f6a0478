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

// TestDefinitionsOfOddShapes: a set that is missing is empty, and the raw answer
// keeps what fits nowhere (API.md §6).
func TestDefinitionsOfOddShapes(t *testing.T) {
	t.Parallel()
	d, e := acctest.Drive(t, emulator.Options{}, nil)
	e.SetDefinitions(func(sets map[string]any) {
		delete(sets, "zone_names")
		delete(sets, "distribution_descriptions")
		sets["colours"] = []any{"red"}
		sets["keymaps"] = map[string]any{"de": map[string]any{"id": 1}}
	})
	o, diags := d.ReadData(t.Context(), typeName, nil)
	if len(diags) > 0 {
		t.Fatal(acctest.DiagText(diags))
	}
	for at, want := range map[string]any{"zone_names": []any{}, "distribution_descriptions": map[string]any{}, "keymaps": []any{"de"}} {
		if diff := cmp.Diff(want, o.Get(at)); diff != "" {
			t.Errorf("%s (-want +got)\n%s", at, diff)
		}
	}
	if raw, _ := o.Get("json").(string); !strings.Contains(raw, `{"id":"colours","data":["red"]}`) {
		t.Errorf("json is %v", o.Get("json"))
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
		"a set of another kind":  {nil, emulator.Fault{Status: http.StatusOK, Body: `[{"id":"distributions","data":"bookworm"}]`}, []string{`the set "distributions" is not an array.`}},
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
