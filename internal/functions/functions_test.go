package functions_test

import (
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-testing/helper/resource"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/acctest"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/emulator"
)

func TestMain(m *testing.M) { acctest.Main(m) }

func driver(t *testing.T) *acctest.Driver {
	t.Helper()
	d, _ := acctest.Drive(t, emulator.Options{}, nil)
	return d
}

func TestMegabytes(t *testing.T) {
	t.Parallel()
	d := driver(t)
	for size, want := range map[string]int64{
		"25GiB": 25600, "1.5GiB": 1536, "512MiB": 512, "1 GiB": 1024, "2048KiB": 2, "1TiB": 1048576, "0.25TiB": 262144,
		"0GiB": 0, "007MiB": 7, "1.50GiB": 1536,
		"2048GB": 1953125, "16384MB": 15625, "256TB": 244140625, "16384000kB": 15625,
	} {
		got, err := d.Call(t.Context(), "megabytes", size)
		if err != nil || got != want {
			t.Errorf("megabytes(%q): want %d, got %v, %v", size, want, got, err)
		}
	}
}

func TestMegabytesRefuses(t *testing.T) {
	t.Parallel()
	d := driver(t)
	for size, want := range map[string]string{
		"":                          "is not a size",
		"25":                        "is not a size",
		"GiB":                       "is not a size",
		"-1GiB":                     "is not a size",
		"1e3GiB":                    "is not a size",
		"1,5GiB":                    "is not a size",
		" 1GiB":                     "is not a size",
		"1  GiB":                    "is not a size",
		"25gib":                     "write GiB, not gib",
		"25Mb":                      "write MB, not Mb",
		"25G":                       "G is none of kB, KiB, MB, MiB, GB, GiB, TB, TiB",
		"1GB":                       "between 953MiB and 954MiB",
		"4096MB":                    "between 3906MiB and 3907MiB",
		"1KiB":                      "between 0MiB and 1MiB",
		"1.0001GiB":                 "between 1024MiB and 1025MiB",
		"999999999999999999TiB":     "more megabytes than can be counted",
		"1234567890123456789012MiB": "is not a size",
	} {
		got, err := d.Call(t.Context(), "megabytes", size)
		if err == nil || err.FunctionArgument == nil || *err.FunctionArgument != 0 || !strings.Contains(err.Text, want) {
			t.Errorf("megabytes(%q): want an error at the argument with %q, got %v, %+v", size, want, got, err)
		}
	}
}

func TestParseHostname(t *testing.T) {
	t.Parallel()
	d := driver(t)
	for text, want := range map[string]map[string]any{
		"web1.default.demo.cluster.example":  {"name": "web1", "group": "default", "account": "demo", "cluster_domain": "cluster.example"},
		"web1.default.demo.cluster.example.": {"name": "web1", "group": "default", "account": "demo", "cluster_domain": "cluster.example"},
		"a.b.c.d":                            {"name": "a", "group": "b", "account": "c", "cluster_domain": "d"},
	} {
		got, err := d.Call(t.Context(), "parse_hostname", text)
		if err != nil {
			t.Errorf("parse_hostname(%q): %s", text, err.Text)
			continue
		}
		parts, ok := got.(map[string]any)
		if !ok || len(parts) != len(want) {
			t.Errorf("parse_hostname(%q): got %v", text, got)
		}
		for name, value := range want {
			if parts[name] != value {
				t.Errorf("parse_hostname(%q).%s: want %v, got %v", text, name, value, parts[name])
			}
		}
	}
}

func TestParseHostnameRefuses(t *testing.T) {
	t.Parallel()
	d := driver(t)
	for text, want := range map[string]string{
		"":                          "not a full host name",
		"web1":                      "not a full host name",
		"web1.default.demo":         "not a full host name",
		"web1.default.demo.":        "not a full host name",
		"web1..demo.cluster":        "nothing between two of its dots",
		".default.demo.cluster":     "nothing between two of its dots",
		"web1.default.demo.c..":     "nothing between two of its dots",
		"https://web1.a.b.c":        "give the host name alone",
		"root@web1.a.b.c":           "give the host name alone",
		"web1.default.demo.c.d:443": "give the host name alone",
	} {
		got, err := d.Call(t.Context(), "parse_hostname", text)
		if err == nil || err.FunctionArgument == nil || *err.FunctionArgument != 0 || !strings.Contains(err.Text, want) {
			t.Errorf("parse_hostname(%q): want an error at the argument with %q, got %v, %+v", text, want, got, err)
		}
	}
}

func TestImportID(t *testing.T) {
	t.Parallel()
	d := driver(t)
	got, err := d.Call(t.Context(), "import_id", "demo", "default", "web1")
	if err != nil || got != "demo/default/web1" {
		t.Errorf("want demo/default/web1, got %v, %v", got, err)
	}
	for _, test := range []struct {
		account, group, name string
		argument             int64
		want                 string
	}{
		{"", "default", "web1", 0, `The account "" is empty.`},
		{"demo", "a/b", "web1", 1, `The group "a/b" has a slash`},
		{"demo", "default", "web1 ", 2, `The name "web1 " begins or ends with a blank.`},
		{"demo", "", "", 1, `The name "" is empty.`}, // the first argument to blame, and all that is wrong
	} {
		_, err := d.Call(t.Context(), "import_id", test.account, test.group, test.name)
		if err == nil || err.FunctionArgument == nil || *err.FunctionArgument != test.argument || !strings.Contains(err.Text, test.want) {
			t.Errorf("%+v: got %+v", test, err)
		}
	}
}

// TestThroughTheCLI needs no provider block: functions ask nothing.
func TestThroughTheCLI(t *testing.T) {
	acctest.UnitTest(t, resource.TestCase{Steps: []resource.TestStep{
		{
			Config: `
				output "size"    { value = provider::cloudserver::megabytes("25GiB") }
				output "account" { value = provider::cloudserver::parse_hostname("web1.default.demo.cluster.example").account }
				output "id"      { value = provider::cloudserver::import_id("demo", "default", "web1") }
			`,
			Check: resource.ComposeAggregateTestCheckFunc(
				resource.TestCheckOutput("size", "25600"),
				resource.TestCheckOutput("account", "demo"),
				resource.TestCheckOutput("id", "demo/default/web1"),
			),
		},
	}})
}
