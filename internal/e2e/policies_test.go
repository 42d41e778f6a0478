//go:build policies

package e2e_test

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/acctest"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/emulator"
)

// TestPolicies: each rule of the guide Policies refuses the plan that it is about, and lets a similar one pass. OPA names
// the engine.
func TestPolicies(t *testing.T) {
	t.Parallel()
	const (
		data    = "  disc {\n    label = \"data\"\n    size  = 5000\n  }"
		image   = "  reimage {\n    distribution   = \"bookworm\"\n    ssh_public_key = \"ssh-ed25519 AAAA\"\n    on_change      = \"reimage\"\n  }"
		restart = "  allow_stopping_for_update = true\n  memory = 2048"
		protect = "  deletion_protection = true"
	)
	noble := strings.ReplaceAll(image, "bookworm", "noble")
	config := func(lines ...string) string { return machineNamed("web", `"web1"`, lines...) }
	unknown := "resource \"terraform_data\" \"later\" {\n  input = \"data\"\n}\n"
	action := func(name, arguments string) string {
		return "action \"" + name + "\" \"now\" {\n  config {\n    virtual_machine_id = cloudserver_vm.web.id\n" + arguments + "  }\n}\n"
	}
	for name, test := range map[string]struct {
		before, after string
		plan          []string
		denies        string // "": the plan passes
		newest        bool   // the plan needs Terraform 1.14
	}{
		"a disc leaves":               {before: config(data), after: config(), denies: `the disc "data" (ID `},
		"a disc is renamed":           {before: config(data), after: config(strings.Replace(data, "data", "logs", 1))},
		"a disc is added":             {before: config(), after: config(data)},
		"discs that are not known":    {before: unknown + config(data), after: strings.Replace(unknown, `"data"`, `"logs"`, 1) + config("  dynamic \"disc\" {\n    for_each = terraform_data.later.output == \"data\" ? [5000] : []\n    content {\n      label = \"data\"\n      size  = disc.value\n    }\n  }"), denies: `the disc "data" (ID `},
		"an image is installed":       {before: config(image), after: config(noble), denies: "its boot disc is erased"},
		"a key is recorded":           {before: config(image), after: config(strings.ReplaceAll(image, "AAAA", "BBBB"))},
		"a restart":                   {before: config("  cores = 1", restart), after: config("  cores = 2", restart), denies: "a change of cores restarts it"},
		"fewer cores":                 {before: config("  cores = 2", restart), after: config("  cores = 1", restart)},
		"a stop":                      {before: config(), after: config("  power_on = false"), denies: "it is stopped"},
		"a start":                     {before: config("  power_on = false"), after: config("  power_on = true")},
		"protection is lowered":       {before: config(protect), after: config(), denies: "deletion_protection is lowered"},
		"protection is raised":        {before: config(), after: config(protect)},
		"no protection in production": {after: production + config("  group = cloudserver_group.production.name"), denies: "deletion_protection is not true"},
		"a group behind a new ID":     {after: production + config("  group_id = cloudserver_group.production.id"), denies: "deletion_protection is not true"},
		"protection in production":    {after: production + config("  group = cloudserver_group.production.name", protect)},
		"a machine is destroyed":      {before: config(), after: "", denies: `the machine "web1" is purged with all its discs`},
		"a soft delete":               {before: config("  purge_on_destroy = false"), after: ""},
		"a machine is replaced":       {before: config(), after: config("  zone_name = \"manchester\""), denies: "is purged with all its discs"},
		"a forced replacement":        {before: config(), after: config(), plan: []string{"-replace=cloudserver_vm.web"}, denies: "although no argument needs that"},
		"nothing changes":             {before: config(data), after: config(data)},
		"a reimage is invoked":        {before: config() + action("cloudserver_vm_reimage", "    distribution = \"noble\"\n    allow_stopping = true\n"), plan: []string{"-invoke=action.cloudserver_vm_reimage.now"}, denies: "the action loses data", newest: true},
		"a restart action is invoked": {before: config() + action("cloudserver_vm_power", "    state = \"restart\"\n"), plan: []string{"-invoke=action.cloudserver_vm_power.now"}, newest: true},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := newWorkspace(t, acctest.StartEmulator(t, emulator.Options{}))
			if test.newest {
				if !canInvoke(w) {
					return // the oldest CLI has no actions
				}
				test.after = test.before
			}
			if test.before != "" {
				w.write("main.tf", requirement+w.service.ProviderBlock()+test.before)
				w.must("apply", "-auto-approve")
			}
			w.write("main.tf", requirement+w.service.ProviderBlock()+test.after)
			w.must(append([]string{"plan", "-out=tfplan"}, test.plan...)...)
			w.write("plan.json", w.must("show", "-json", "tfplan"))
			denied := evaluate(t, w.path("plan.json"))
			text := strings.Join(denied, "\n")
			if test.denies == "" && len(denied) > 0 || !strings.Contains(text, test.denies) {
				t.Errorf("want %q, denied are %q", test.denies, denied)
			}
		})
	}
}

const production = "resource \"cloudserver_group\" \"production\" {\n  name = \"production\"\n}\n"

// canInvoke reports whether the CLI has actions.
func canInvoke(w *workspace) bool {
	return strings.Contains(w.must("plan", "-help"), "-invoke")
}

// evaluate runs the engine, and returns what the rules deny.
func evaluate(t *testing.T, plan string) (denied []string) {
	t.Helper()
	engine := os.Getenv("OPA")
	if engine == "" {
		t.Fatal("OPA does not name the engine: run make test-policies")
	}
	output, err := exec.Command(engine, "eval", "--strict", "--data", filepath.Join("..", "..", "examples", "policies"), "--input", plan, "data.cloudserver.deny").Output()
	if err != nil {
		t.Fatalf("%v\n%s", err, output)
	}
	var answer struct {
		Result []struct {
			Expressions []struct {
				Value []string `json:"value"`
			} `json:"expressions"`
		} `json:"result"`
	}
	if err := json.Unmarshal(output, &answer); err != nil || len(answer.Result) != 1 || len(answer.Result[0].Expressions) != 1 {
		t.Fatalf("%v\n%s", err, output)
	}
	return answer.Result[0].Expressions[0].Value
}
