package examples_test

import (
	"encoding/json"
	"net/netip"
	"os"
	"os/exec"
	"path/filepath"
	"strings"


	"github.com/cloudserver/terraform-provider-cloudserver/internal/emulator"
)

// recipes are the stories of the guide's recipes.
var recipes = map[string]story{
	"recipes":            {then: listsItsMachines},
	"recipes/cloud-init": {before: hasAKey, then: rendersItsScript},
}

func listsItsMachines(w *workspace) {
	hasTargets(w)
	hasAnInventory(w)
	hasAZoneFile(w)
}

// hasTargets reads the file as Prometheus would.
func hasTargets(w *workspace) {
	w.sh("docs/guides/recipes.md", "-raw file_sd")
	source, err := os.ReadFile(filepath.Join(w.dir, "cloudserver.json"))
	if err != nil {
		w.Fatal(err)
	}
	var groups []struct {
		Targets []string
		Labels  map[string]string
	}
	if err := json.Unmarshal(source, &groups); err != nil || len(groups) != 3 {
		w.Fatalf("%v: %s", err, source)
	}
	for _, group := range groups {
		if len(group.Targets) != 1 || group.Labels["group"] != emulator.DefaultGroup || group.Labels["zone"] == "" {
			w.Errorf("a group of targets: %+v", group)
		} else if _, err := netip.ParseAddrPort(group.Targets[0]); err != nil {
			w.Error(err)
		}
	}
}

func hasAnInventory(w *workspace) {
	if _, err := exec.LookPath("ansible-playbook"); err != nil {
		// It only looks at its arguments. What a real one would read of the inventory is checked below.
		bin := w.T.TempDir()
		write(w.T, bin, "ansible-playbook", "#!/bin/sh\n[ \"$*\" = '-i inventory.yml site.yml' ]\n")
		if err := os.Chmod(filepath.Join(bin, "ansible-playbook"), 0o700); err != nil { //nolint:gosec // a program
			w.Fatal(err)
		}
		w.env = append(w.env, "PATH="+bin+string(os.PathListSeparator)+w.cli.programs+string(os.PathListSeparator)+os.Getenv("PATH"))
	}
	write(w.T, w.dir, "site.yml", "- hosts: web\n  gather_facts: false\n  tasks: []\n") // nothing that needs a connection
	w.sh("docs/guides/recipes.md", "ansible-playbook")
	source, err := os.ReadFile(filepath.Join(w.dir, "inventory.yml"))
	if err != nil {
		w.Fatal(err)
	}
	inventory, hosts := w.parseYAML(string(source)), 0
	for group := range inventory {
		for name, host := range at[map[string]any](w, inventory, group, "hosts") {
			if _, err := netip.ParseAddr(at[string](w, host, "ansible_host")); err != nil || !strings.HasPrefix(name, group) {
				w.Errorf("%s in group %s: %v", name, group, err)
			}
			hosts++
		}
	}
	if hosts != 3 {
		w.Errorf("the inventory has %d hosts: %s", hosts, source)
	}
}

// The script that the template makes installs cloud-init and puts the cloud-config where it reads it.
func rendersItsScript(w *workspace) {
	w.cli.book.executedFiles(w.T, w.example, ".tftpl")
	write(w.T, w.dir, "script.tf", `output "script" {
  value = templatefile("${path.module}/firstboot.sh.tftpl", { cloud_config = file("${path.module}/cloud-config.yaml") })
}
`)
	w.run("apply", "-auto-approve")
	bin := w.T.TempDir()
	for _, name := range []string{"apt-get", "cloud-init"} {
		write(w.T, bin, name, "#!/bin/sh\necho \"$(basename \"$0\") $*\"\n")
		if err := os.Chmod(filepath.Join(bin, name), 0o700); err != nil { //nolint:gosec // a program
			w.Fatal(err)
		}
	}
	script := strings.ReplaceAll(w.run("output", "-raw", "script"), "/var/lib/cloud", filepath.Join(bin, "cloud"))
	job := *w
	job.env = append(job.env, "PATH="+bin+string(os.PathListSeparator)+os.Getenv("PATH"))
	if output, err := job.try("sh", "-c", script); err != nil || !strings.Contains(output, "cloud-init modules --mode=final") {
		w.Errorf("%v\n%s", err, output)
	}
	given, err := os.ReadFile(filepath.Join(bin, "cloud", "seed", "nocloud", "user-data"))
	if err != nil || strings.TrimSpace(string(given)) != strings.TrimSpace(w.shown("cloud-config.yaml")) {
		w.Errorf("cloud-init gets %v %s", err, given)
	}
}

func hasAZoneFile(w *workspace) {
	if zone := w.run("output", "-raw", "zone_file"); !strings.Contains(zone, "web2 300 IN A 198.51.100.") || !strings.Contains(zone, " AAAA ") {
		w.Errorf("the zone file: %s", zone)
	}
}

func (w *workspace) change(id int64, f func(*emulator.Machine)) {
	w.Helper()
	if err := w.e.Change(id, f); err != nil {
		w.Fatal(err)
	}
}
