package examples_test

import (
	"fmt"
	"path/filepath"
	"strings"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/acctest"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/emulator"
)

// passesItsTests runs the tests of the module, which ask nothing of the service. A module is called twice. Then the
// blocks moved of the page keep a machine under another key.
func passesItsTests(w *workspace) {
	const page = "docs/guides/modules.md"
	w.e.ResetJournal()
	w.cli.book.executedFiles(w.T, filepath.Join(w.example, "tests"), ".hcl")
	if output := w.sh(page, "terraform init\nterraform test"); !strings.Contains(output, "4 passed, 0 failed") {
		w.Errorf("the tests: %s", output)
	}
	if requests := w.e.Journal(); len(requests) > 0 {
		w.Errorf("the tests call the service: %+v", requests)
	}

	write(w.T, w.dir, "moved.tf", w.cli.book.block(w.T, page, "moved {"))
	w.edit("main.tf", "    app      = {", "    web      = {")
	if output := w.run("apply", "-auto-approve"); !strings.Contains(output, "0 added, 0 changed, 0 destroyed") {
		w.Errorf("another key: %s", output)
	}
	w.run("destroy", "-auto-approve") // the names are the caller's from here on

	caller := newWorkspace(w.T, w.cli, w.e, "provider")
	copyExample(w.T, w.example, filepath.Join(caller.dir, "modules", "shop"))
	write(w.T, caller.dir, "main.tf", w.cli.book.block(w.T, page, `module "shop"`))
	caller.run("init")
	caller.run("apply", "-auto-approve")
	caller.run("destroy", "-auto-approve")
}

// hasTwoServices starts a second service, and gives the configuration both.
func hasTwoServices(w *workspace) {
	leeds := acctest.StartEmulator(w.T, emulator.Options{})
	w.T.Cleanup(func() {
		if left := leeds.Machines(); len(left) > 0 {
			w.Errorf("machines left: %+v", left)
		}
	})
	for name, service := range map[string]*acctest.Emulator{"york": w.e, "leeds": leeds} {
		w.set(name, fmt.Sprintf(`{endpoint=%q,token=%q}`, service.URL, emulator.DemoAPIKey))
	}
}

// areHeldApart checks that each service has its machines, and that no key is sent to another service. Then it applies the
// machine of another account.
func areHeldApart(w *workspace) {
	const page = "docs/guides/several-services.md"
	if machines := w.e.Machines(); len(machines) != 1 || machines[0].Name != "web1" {
		w.Errorf("machines of York: %+v", machines)
	}
	w.edit("main.tf", "  token    = var.leeds.token\n", "")
	w.expectRefusal("Credentials of another service", "plan")
	w.edit("main.tf", "  endpoint = var.leeds.endpoint\n", "  endpoint = var.leeds.endpoint\n  token    = var.leeds.token\n")

	w.expectNoChange()

	copyExample(w.T, "guides/modules", filepath.Join(w.dir, "modules", "shop"))
	write(w.T, w.dir, "shop.tf", w.cli.book.block(w.T, page, `module "shop"`))
	w.run("init")
	w.run("apply", "-auto-approve")
	if machines := w.e.Machines(); len(machines) != 1 {
		w.Errorf("the module is not in Leeds: %+v", machines)
	}

	w.e.AddAccount("acme", false)
	w.e.AddGroup("acme", "default", false)
	other := newWorkspace(w.T, w.cli, w.e, "provider")
	write(w.T, other.dir, "build.tf", w.cli.book.block(w.T, page, `resource "cloudserver_vm" "build"`))
	write(w.T, other.dir, "acme.tf", w.cli.book.block(w.T, page, `alias   = "acme"`)+"\nvariable \"acme_token\" {\n  default = null\n}\n")
	other.run("init")
	other.run("apply", "-auto-approve")
	other.run("destroy", "-auto-approve")
}
