package adopt_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/acctest"
)

// configure writes a configuration, of which names and texts alternate, into a new directory.
func configure(t *testing.T, files ...string) string {
	t.Helper()
	dir := t.TempDir()
	for i := 0; i < len(files); i += 2 {
		name := filepath.Join(dir, files[i])
		if err := os.MkdirAll(filepath.Dir(name), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, []byte(files[i+1]), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// recovers writes the import blocks for a configuration, into another directory.
func recovers(t *testing.T, e *acctest.Emulator, dir string) result {
	t.Helper()
	return runs(t, e.Transport(), filepath.Join(t.TempDir(), "imports"), "-imports-only", "-config", dir)
}

// TestLostState: what names an object, and what it is found by.
func TestLostState(t *testing.T) {
	inEnvironment(t, "demo")
	e := newService(t)
	e.AddGroup("demo", "web", false)
	ids := map[string]string{}
	for _, name := range []string{"web1", "web2", "x"} {
		ids[name] = number(e.AddMachine("demo", "web", machineNamed(name)))
	}
	ids["lone"] = number(e.AddMachine("demo", "default", machineNamed("lone")))
	const vm = "resource \"cloudserver_vm\" \"a\" {\n"
	for _, test := range []struct {
		text string
		to   string            // "": nothing is found
		want map[string]string // keys and names of machines; "": the only one
		says string            // why nothing is
	}{
		{vm + `name = "lone"` + "\n}", "cloudserver_vm.a", map[string]string{"": "lone"}, ""},
		{vm + `name = "web1"` + "\n}", "", nil, `cloudserver_vm.a: the service has no such object`},
		{vm + `name = "web1"` + "\ngroup = \"web\"\n}", "cloudserver_vm.a", map[string]string{"": "web1"}, ""},
		{"provider \"cloudserver\" {\ngroup = \"web\"\n}\n" + vm + `name = "web1"` + "\n}", "cloudserver_vm.a", map[string]string{"": "web1"}, ""},
		{"provider \"cloudserver\" {\nalias = \"w\"\ngroup = \"web\"\n}\n" + vm + "provider = cloudserver.w\n" + `name = "web1"` + "\n}", "cloudserver_vm.a", map[string]string{"": "web1"}, ""},
		{vm + `name = "web1"` + "\ngroup = \"web\"\naccount = \"other\"\n}", "", nil, "the service has no such object"},
		{vm + `group = "web"` + "\n" + `for_each = toset(["web1", "web2"])` + "\nname = each.key\n}", "cloudserver_vm.a[each.key]", map[string]string{"web1": "web1", "web2": "web2"}, ""},
		{vm + `group = "web"` + "\n" + `for_each = { k = { n = "x" } }` + "\nname = each.value.n\n}", "cloudserver_vm.a[each.key]", map[string]string{"k": "x"}, ""},
		{vm + `group = "web"` + "\ncount = 2\n" + `name = "web${count.index + 1}"` + "\n}", "cloudserver_vm.a[each.value.index]", map[string]string{"0": "web1", "1": "web2"}, ""},
		{vm + `group = "web"` + "\ncount = 2\n" + `name = "web${count.index + 2}"` + "\n}", "cloudserver_vm.a[each.value.index]", map[string]string{"0": "web2"}, "cloudserver_vm.a[1]: the service has no such object"},
		{"variable \"n\" {}\n" + vm + "name = var.n\n}", "", nil, "cloudserver_vm.a: its name is not known from the configuration alone"},
		{"variable \"n\" {\ndefault = \"lone\"\n}\n" + vm + "name = var.n\n}", "cloudserver_vm.a", map[string]string{"": "lone"}, ""},
		{"variable \"n\" {}\n" + vm + "for_each = toset(var.n)\nname = each.key\n}", "", nil, "cloudserver_vm.a: its for_each is not known"},
		{"data \"http\" \"n\" {}\n" + vm + "count = data.http.n.x\nname = \"x\"\n}", "", nil, "cloudserver_vm.a: its count is not known"},
		{"locals {\nn = local.n\n}\n" + vm + "name = local.n\n}", "", nil, "its name is not known"},
		{vm + "name = \"lone\"\n}\nresource \"cloudserver_vm\" \"b\" {\nname = \"lone\"\n}", "cloudserver_vm.a", map[string]string{"": "lone"}, `cloudserver_vm.b: virtual machine "lone" of group "default", which it describes, is cloudserver_vm.a already`},
		{"module \"m\" {\nsource = \"example/m/cloudserver\"\n}", "", nil, "module.m"},
	} {
		r := recovers(t, e, configure(t, "main.tf", test.text))
		text := r.files["imports.tf"]
		found := strings.Contains(text, "to = "+test.to+"\n")
		for key, name := range test.want {
			want := `id = "` + ids[name] + `"`
			if key != "" && !strings.Contains(test.to, "index") {
				want = `"` + key + `" = "` + ids[name] + `"`
			}
			found = found && strings.Contains(strings.Join(strings.Fields(text), " "), want)
		}
		if (test.to != "") != found && test.to != "" || test.to == "" && strings.Contains(text, "to =") {
			t.Errorf("%s\n\nhas the import blocks\n%s", test.text, text)
		}
		if (test.says == "") != (r.err == nil) || !strings.Contains(r.errors, test.says) {
			t.Errorf("%s\n\n%v; %q is not in\n%s", test.text, r.err, test.says, r.errors)
		}
	}
	acctest.ExpectCalls(t, e)
}

// TestLostStateIsRefused: what cannot be read is an error before anything is asked.
func TestLostStateIsRefused(t *testing.T) {
	inEnvironment(t, "demo")
	e := newService(t)
	const machine = "resource \"cloudserver_vm\" \"a\" {\nname = \"a\"\n}"
	for says, dir := range map[string]string{
		"has no resource and no module": configure(t, "main.tf", "locals {}"),
		"replaces parts of other files": configure(t, "main.tf", machine, "a_override.tf", ""),
		"main.tf":                       configure(t, "main.tf", "resource {"),
	} {
		if r := recovers(t, e, dir); r.err == nil || !strings.Contains(r.err.Error(), says) || len(e.AllCalls()) > 0 || len(r.files) > 0 {
			t.Errorf("%v; it should say %q. Requests %v", r.err, says, e.AllCalls())
		}
	}
}

// TestLostStateInJSON: the other syntax is read, too.
func TestLostStateInJSON(t *testing.T) {
	inEnvironment(t, "demo")
	e := newService(t)
	id := number(e.AddMachine("demo", "default", machineNamed("web1")))
	r := recovers(t, e, configure(t, "main.tf.json", `{"resource": {"cloudserver_vm": {"a": {"name": "web1", "disc": [{"label": "vda", "size": 25600}]}}}}`))
	if r.err != nil || !strings.Contains(r.files["imports.tf"], id) {
		t.Errorf("%v\n%s\n%s", r.err, r.files["imports.tf"], r.errors)
	}
}
