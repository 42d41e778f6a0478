package adopt_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/acctest"
)

// writeConfig writes a configuration into a new directory. files alternates names and contents.
func writeConfig(t *testing.T, files ...string) string {
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

// recoverInto writes the import blocks for a configuration into another directory.
func recoverInto(t *testing.T, e *acctest.Emulator, dir string) result {
	t.Helper()
	return runCommand(t, e.Transport(), filepath.Join(t.TempDir(), "imports"), "--imports-only", "--config", dir)
}

// TestLostState: which arguments identify an object, and how it is found.
func TestLostState(t *testing.T) {
	setEnvironment(t, "demo")
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
		says string            // why nothing is found
	}{
		{text: vm + `name = "lone"` + "\n}", to: "cloudserver_vm.a", want: map[string]string{"": "lone"}},
		{text: vm + `name = "web1"` + "\n}", says: `cloudserver_vm.a: the service has no such object`},
		{text: vm + `name = "web1"` + "\ngroup = \"web\"\n}", to: "cloudserver_vm.a", want: map[string]string{"": "web1"}},
		{text: "provider \"cloudserver\" {\ngroup = \"web\"\n}\n" + vm + `name = "web1"` + "\n}", to: "cloudserver_vm.a", want: map[string]string{"": "web1"}},
		{text: "provider \"cloudserver\" {\nalias = \"w\"\ngroup = \"web\"\n}\n" + vm + "provider = cloudserver.w\n" + `name = "web1"` + "\n}", to: "cloudserver_vm.a", want: map[string]string{"": "web1"}},
		{text: vm + `name = "web1"` + "\ngroup = \"web\"\naccount = \"other\"\n}", says: "the service has no such object"},
		{text: vm + `group = "web"` + "\n" + `for_each = toset(["web1", "web2"])` + "\nname = each.key\n}", to: "cloudserver_vm.a[each.key]", want: map[string]string{"web1": "web1", "web2": "web2"}},
		{text: vm + `group = "web"` + "\n" + `for_each = { k = { n = "x" } }` + "\nname = each.value.n\n}", to: "cloudserver_vm.a[each.key]", want: map[string]string{"k": "x"}},
		{text: vm + `group = "web"` + "\ncount = 2\n" + `name = "web${count.index + 1}"` + "\n}", to: "cloudserver_vm.a[each.value.index]", want: map[string]string{"0": "web1", "1": "web2"}},
		{text: vm + `group = "web"` + "\ncount = 2\n" + `name = "web${count.index + 2}"` + "\n}", to: "cloudserver_vm.a[each.value.index]", want: map[string]string{"0": "web2"}, says: "cloudserver_vm.a[1]: the service has no such object"},
		{text: "variable \"n\" {}\n" + vm + "name = var.n\n}", says: "cloudserver_vm.a: its name is not known from the configuration alone"},
		{text: "variable \"n\" {\ndefault = \"lone\"\n}\n" + vm + "name = var.n\n}", to: "cloudserver_vm.a", want: map[string]string{"": "lone"}},
		{text: "variable \"n\" {}\n" + vm + "for_each = toset(var.n)\nname = each.key\n}", says: "cloudserver_vm.a: its for_each is not known"},
		{text: "data \"http\" \"n\" {}\n" + vm + "count = data.http.n.x\nname = \"x\"\n}", says: "cloudserver_vm.a: its count is not known"},
		{text: "locals {\nn = local.n\n}\n" + vm + "name = local.n\n}", says: "its name is not known"},
		{text: vm + "name = \"lone\"\n}\nresource \"cloudserver_vm\" \"b\" {\nname = \"lone\"\n}", to: "cloudserver_vm.a", want: map[string]string{"": "lone"}, says: `cloudserver_vm.b: virtual machine "lone" of group "default", which it describes, is cloudserver_vm.a already`},
		{text: "module \"m\" {\nsource = \"example/m/cloudserver\"\n}", says: "module.m"},
	} {
		r := recoverInto(t, e, writeConfig(t, "main.tf", test.text))
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

// TestLostStateIsRefused: a configuration that cannot be read is an error before any request is sent.
func TestLostStateIsRefused(t *testing.T) {
	setEnvironment(t, "demo")
	e := newService(t)
	const machine = "resource \"cloudserver_vm\" \"a\" {\nname = \"a\"\n}"
	for says, dir := range map[string]string{
		"has no resource and no module": writeConfig(t, "main.tf", "locals {}"),
		"replaces parts of other files": writeConfig(t, "main.tf", machine, "a_override.tf", ""),
		"main.tf":                       writeConfig(t, "main.tf", "resource {"),
	} {
		if r := recoverInto(t, e, dir); r.err == nil || !strings.Contains(r.err.Error(), says) || len(e.AllCalls()) > 0 || len(r.files) > 0 {
			t.Errorf("%v; it should say %q. Requests %v", r.err, says, e.AllCalls())
		}
	}
}

// TestLostStateInJSON: JSON syntax is read as well.
func TestLostStateInJSON(t *testing.T) {
	setEnvironment(t, "demo")
	e := newService(t)
	id := number(e.AddMachine("demo", "default", machineNamed("web1")))
	r := recoverInto(t, e, writeConfig(t, "main.tf.json", `{"resource": {"cloudserver_vm": {"a": {"name": "web1", "disc": [{"label": "vda", "size": 25600}]}}}}`))
	if r.err != nil || !strings.Contains(r.files["imports.tf"], id) {
		t.Errorf("%v\n%s\n%s", r.err, r.files["imports.tf"], r.errors)
	}
}

// TestLostStateOfASoftDeletedMachine: it is reported with its ID, and a file without import blocks is not written.
func TestLostStateOfASoftDeletedMachine(t *testing.T) {
	setEnvironment(t, "demo")
	for name, others := range map[string]string{"alone": "", "beside another": "web2"} {
		t.Run(name, func(t *testing.T) {
			e := newService(t)
			id := e.AddMachine("demo", "default", machineNamed("web1"))
			e.SoftDelete(id)
			names := `"web1"`
			if others != "" {
				e.AddMachine("demo", "default", machineNamed(others))
				names += `, "` + others + `"`
			}
			e.ResetJournal()
			r := recoverInto(t, e, writeConfig(t, "main.tf", "resource \"cloudserver_vm\" \"a\" {\nfor_each = toset(["+names+"])\nname = each.key\n}"))
			if want := `cloudserver_vm.a["web1"]: virtual machine "web1" (ID ` + number(id) + `)`; r.err == nil || !strings.Contains(r.errors, want) || !strings.Contains(r.errors, "Undelete each first") {
				t.Errorf("%v; %q is not in\n%s", r.err, want, r.errors)
			}
			if strings.Contains(r.errors, "no such object") {
				t.Error(r.errors)
			}
			text, written := r.files["imports.tf"]
			if written != (others != "") || strings.Contains(text, "web1") {
				t.Errorf("wrote %t:\n%s", written, text)
			}
			if !written && !strings.Contains(r.out, "no import blocks were written") {
				t.Error(r.out)
			}
			acctest.ExpectCalls(t, e)
		})
	}
}
