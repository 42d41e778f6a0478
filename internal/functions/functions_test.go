package functions_test

import (
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
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
		"25G":                       "G is not one of kB, KiB, MB, MiB, GB, GiB, TB, TiB",
		"1GB":                       "between 953MiB and 954MiB",
		"4096MB":                    "between 3906MiB and 3907MiB",
		"1KiB":                      "between 0MiB and 1MiB",
		"1.0001GiB":                 "between 1024MiB and 1025MiB",
		"999999999999999999TiB":     "is too large",
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
	const domain = "cluster.example"
	for _, test := range []struct {
		arguments []any
		want      []string // name, group, account, cluster domain
	}{
		{[]any{"web1.default.demo.cluster.example", domain}, []string{"web1", "default", "demo", domain}},
		{[]any{"web1.default.demo.cluster.example.", "." + domain + "."}, []string{"web1", "default", "demo", domain}},
		{[]any{"web1.default.demo.Cluster.Example", domain}, []string{"web1", "default", "demo", "Cluster.Example"}},
		{[]any{"a.b.c.d"}, []string{"a", "b", "c", "d"}}, // there is only one split
		{[]any{"a.b.c.d."}, []string{"a", "b", "c", "d"}},
	} {
		got, err := d.Call(t.Context(), "parse_hostname", test.arguments...)
		if err != nil {
			t.Errorf("%q: %s", test.arguments, err.Text)
			continue
		}
		want := map[string]any{"name": test.want[0], "group": test.want[1], "account": test.want[2], "cluster_domain": test.want[3]}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%q (-want +got)\n%s", test.arguments, diff)
		}
	}
}

func TestParseHostnameRefuses(t *testing.T) {
	t.Parallel()
	d := driver(t)
	const domain, several = "cluster.example", "can be split in several ways"
	for _, test := range []struct {
		arguments []any
		argument  int64
		want      string
	}{
		{[]any{""}, 0, "an empty part"},
		{[]any{"web1"}, 0, "not a full hostname"},
		{[]any{"web1.default.demo"}, 0, "not a full hostname"},
		{[]any{"web1.default.demo."}, 0, "not a full hostname"},
		{[]any{"web1..demo.cluster"}, 0, "an empty part"},
		{[]any{".default.demo.cluster"}, 0, "an empty part"},
		{[]any{"web1.default.demo.c.."}, 0, "an empty part"},
		{[]any{"https://web1.a.b.c"}, 0, "pass only the hostname"},
		{[]any{"root@web1.a.b.c"}, 0, "pass only the hostname"},
		{[]any{"web1.default.demo.c.d:443"}, 0, "pass only the hostname"},
		// A name with a dot, and a domain that is not known.
		{[]any{"web1.default.demo.cluster.example"}, 0, several + ", because it does not say where the cluster domain begins; pass the cluster domain"},
		{[]any{"web1.team.a.demo.cluster.example", domain}, 0, several + `, because a name in "web1.team.a.demo" has a dot`},
		{[]any{"web1.default.demo.other.example", domain}, 0, `not a hostname in the cluster domain "cluster.example"`},
		{[]any{"web1.default.demo.mycluster.example", domain}, 0, `not a hostname in the cluster domain`},
		{[]any{domain, domain}, 0, `not a hostname in the cluster domain`},
		{[]any{"web1.default.cluster.example", domain}, 0, "not a full hostname"},
		{[]any{"a.b.c.d", ""}, 1, "the cluster domain is empty;"},
		{[]any{"a.b.c.d", "."}, 1, "the cluster domain is empty;"},
		{[]any{"a.b.c.d", "d", "c.d"}, 2, "only one cluster domain"},
	} {
		got, err := d.Call(t.Context(), "parse_hostname", test.arguments...)
		if err == nil || err.FunctionArgument == nil || *err.FunctionArgument != test.argument || !strings.Contains(err.Text, test.want) {
			t.Errorf("%q: want an error at argument %d with %q, got %v, %+v", test.arguments, test.argument, test.want, got, err)
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
		{"", "default", "web1", 0, `the account is empty`},
		{"demo", "a/b", "web1", 1, `the group "a/b" contains a slash`},
		{"demo", "default", "web1 ", 2, `the name "web1 " has leading or trailing whitespace`},
		{"demo", "", "", 1, `the name is empty`}, // the first argument to blame, and all that is wrong
	} {
		_, err := d.Call(t.Context(), "import_id", test.account, test.group, test.name)
		if err == nil || err.FunctionArgument == nil || *err.FunctionArgument != test.argument || !strings.Contains(err.Text, test.want) {
			t.Errorf("%+v: got %+v", test, err)
		}
	}
}

// TestThroughTheCLI has no provider block: functions ask the service nothing.
func TestThroughTheCLI(t *testing.T) {
	acctest.UnitTest(t, resource.TestCase{Steps: []resource.TestStep{
		{
			Config: `
				output "size"    { value = provider::cloudserver::megabytes("25GiB") }
				output "account" { value = provider::cloudserver::parse_hostname("web1.default.demo.cluster.example", "cluster.example").account }
				output "id"      { value = provider::cloudserver::import_id("demo", "default", "web1") }
			`,
			Check: resource.ComposeAggregateTestCheckFunc(
				resource.TestCheckOutput("size", "25600"),
				resource.TestCheckOutput("account", "demo"),
				resource.TestCheckOutput("id", "demo/default/web1"),
			),
		},
		{
			Config:      `output "id" { value = provider::cloudserver::import_id("demo", "", "web1") }`,
			ExpectError: regexp.MustCompile(`the group is empty\.\n`), // one full stop
		},
	}})
}
