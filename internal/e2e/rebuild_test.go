// SPDX-License-Identifier: MPL-2.0

package e2e_test

import (
	"os"
	"strings"
	"testing"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/acctest"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/emulator"
)

// estate is twenty machines in three groups, each with a backup schedule and a reverse name.
const estate = `
locals {
  groups   = toset(["web", "db", "shop"])
  machines = { for i in range(20) : "node${i}" => { group = element(["web", "db", "shop"], i) } }
}

resource "cloudserver_group" "all" {
  for_each = local.groups
  name     = each.key
}

resource "cloudserver_vm" "all" {
  for_each = local.machines
  name     = each.key
  group    = cloudserver_group.all[each.value.group].name
  disc {
    label = "vda"
    size  = 25600
  }
}

resource "cloudserver_backup_schedule" "all" {
  for_each           = local.machines
  virtual_machine_id = cloudserver_vm.all[each.key].id
  disc_id            = cloudserver_vm.all[each.key].disc_ids["vda"]
  start_at           = "2040-01-01T04:00:00Z"
  interval_seconds   = 604800
}

resource "cloudserver_rdns" "all" {
  for_each = local.machines
  address  = cloudserver_vm.all[each.key].ipv4_address
  hostname = "${each.key}.example.com"
}
`

// imports import all of the estate but the schedules, whose IDs no configuration has.
const imports = `
import {
  for_each = local.groups
  to       = cloudserver_group.all[each.key]
  id       = each.key
}

import {
  for_each = local.machines
  to       = cloudserver_vm.all[each.key]
  id       = "${each.value.group}/${each.key}"
}

import {
  for_each = local.machines
  to       = cloudserver_rdns.all[each.key]
  id       = cloudserver_vm.all[each.key].ipv4_address
}
`

// TestRebuildAState: after the state was lost, import blocks bring back groups, machines and reverse names, and the
// schedules are taken over by their creation. The service is sent nothing. Only the CLI evaluates import blocks with
// for_each.
func TestRebuildAState(t *testing.T) {
	t.Parallel()
	service := acctest.StartEmulator(t, emulator.Options{})
	w := newWorkspace(t, service)
	w.write("main.tf", requirement+service.ProviderBlock()+estate)
	w.must(command("apply")...)
	if err := os.Remove(w.path("terraform.tfstate")); err != nil {
		t.Fatal(err)
	}

	w.write("imports.tf", imports)
	service.ResetJournal()
	output := w.must(command("apply")...)
	if want := "43 imported, 20 added, 0 changed, 0 destroyed"; !strings.Contains(output, want) {
		t.Errorf("the apply should say %q:\n%s", want, output)
	}
	if want := "An equal backup schedule is managed from now on"; !strings.Contains(output, want) {
		t.Errorf("the apply should warn: %q:\n%s", want, output)
	}
	acctest.ExpectCalls(t, service)
	w.must("plan", "-detailed-exitcode", "-no-color")
}
