// SPDX-License-Identifier: MPL-2.0

package acceptance

import (
	"regexp"
	"testing"

	"github.com/hashicorp/terraform-plugin-testing/compare"
	"github.com/hashicorp/terraform-plugin-testing/helper/resource"
	"github.com/hashicorp/terraform-plugin-testing/knownvalue"
	"github.com/hashicorp/terraform-plugin-testing/plancheck"
	"github.com/hashicorp/terraform-plugin-testing/statecheck"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/acceptance/harness"
)

// A machine is created with its discs and its image in one call. It is on, and found by its ID and by its name.
func TestAccMachine_life(t *testing.T) {
	a := harness.Begin(t, harness.Distribution)
	const config = `
resource "cloudserver_vm" "web" {
  name      = "${local.prefix}-web"
  zone_name = local.zone
  cores     = 1
  memory    = 1024

  disc {
    label = "vda"
    size  = 25600
  }
  disc {
    label = "data"
    size  = 5120
  }
  reimage {
    distribution  = local.distribution
    root_password = local.root_password
  }
}

data "cloudserver_vm" "by_name" {
  name       = cloudserver_vm.web.name
  depends_on = [cloudserver_vm.web]
}
`
	// Arguments that the configuration alone has, and what the provider remembers of its own changes.
	unknown := []string{"reimage", "power_on", "autoreboot_on", "last_change", "pending"}
	a.Run(
		harness.Proves("7.1 7.2 8.1", resource.TestStep{
			Config:           config,
			ConfigPlanChecks: planned(plancheck.ResourceActionCreate),
			ConfigStateChecks: []statecheck.StateCheck{
				value(web, knownvalue.StringExact(a.Choice(harness.Account)), "account"),
				value(web, knownvalue.StringExact(a.Choice(harness.Group)), "group"),
				value(web, knownvalue.StringRegexp(regexp.MustCompile("^"+a.Name("web")+`\.`)), "hostname"),
				value(web, knownvalue.StringExact(a.Choice(harness.Distribution)), "last_imaged_with"),
				value(web, knownvalue.ListSizeExact(2), "disc"),
				value(web, knownvalue.Int64Exact(5120), "disc", 1, "size"),
				value("data.cloudserver_vm.by_name", knownvalue.Bool(true), "power_on"),
				statecheck.CompareValuePairs(web, at("id"), "data.cloudserver_vm.by_name", at("id"), compare.ValuesSame()),
			},
		}),
		harness.Proves("3.2", resource.TestStep{
			ResourceName: web, ImportState: true, ImportStateVerify: true, ImportStateVerifyIgnore: unknown,
		}),
		harness.Proves("3.1", resource.TestStep{
			ResourceName: web, ImportState: true, ImportStateVerify: true, ImportStateVerifyIgnore: unknown,
			ImportStateId: a.Choice(harness.Group) + "/" + a.Name("web"),
		}),
		harness.Proves("3.2", a.ImportByIdentity(web, "id")),
	)
}

// A machine needs no more than a name and a disc. The service chooses the rest, and a plan leaves it alone.
func TestAccMachine_minimal(t *testing.T) {
	a := harness.Begin(t)
	a.Run(harness.Proves("1.5 7.6 8.1", resource.TestStep{
		Config: `
resource "cloudserver_vm" "web" {
  name      = "${local.prefix}-web"
  zone_name = local.zone

  disc {
    label = "vda"
    size  = 25600
  }
}
`,
		ConfigStateChecks: []statecheck.StateCheck{
			value(web, knownvalue.NotNull(), "cores"),
			value(web, knownvalue.NotNull(), "memory"),
			value(web, knownvalue.NotNull(), "zone_name"),
			value(web, knownvalue.NotNull(), "effective_hardware_profile"),
			value(web, knownvalue.NotNull(), "disc", 0, "storage_grade"),
			value(web, knownvalue.NotNull(), "ipv4_address"),
			value(web, knownvalue.Null(), "last_imaged_with"),
		},
	}))
}

// A machine that is created off stays off, and is switched on and off in place.
func TestAccMachine_power(t *testing.T) {
	a := harness.Begin(t)
	config := func(on string) string {
		return `
resource "cloudserver_vm" "web" {
  name             = "${local.prefix}-web"
  zone_name        = local.zone
  power_on         = ` + on + `
  shutdown_timeout = "20s"

  disc {
    label = "vda"
    size  = 25600
  }
}
`
	}
	same := statecheck.CompareValue(compare.ValuesSame())
	a.Run(
		harness.Proves("7.7", resource.TestStep{
			Config: config("false"),
			ConfigStateChecks: []statecheck.StateCheck{
				value(web, knownvalue.Bool(false), "power_on"), value(web, knownvalue.Bool(false), "autoreboot_on"),
				same.AddStateValue(web, at("id")),
			},
		}),
		harness.Proves("3.8", resource.TestStep{
			Config:           config("true"),
			ConfigPlanChecks: planned(plancheck.ResourceActionUpdate),
			ConfigStateChecks: []statecheck.StateCheck{
				value(web, knownvalue.Bool(true), "power_on"), value(web, knownvalue.Bool(true), "autoreboot_on"),
			},
		}),
		harness.Proves("3.8 3.9", resource.TestStep{
			Config:           config("false"),
			ConfigPlanChecks: planned(plancheck.ResourceActionUpdate),
			ConfigStateChecks: []statecheck.StateCheck{
				value(web, knownvalue.Bool(false), "power_on"), same.AddStateValue(web, at("id")),
			},
		}),
	)
}

// With a block ready, an apply ends when the machine answers.
func TestAccMachine_ready(t *testing.T) {
	a := harness.Begin(t, harness.Distribution, harness.ReadyPort)
	a.Run(harness.Proves("7.2", resource.TestStep{
		Config: `
resource "cloudserver_vm" "web" {
  name      = "${local.prefix}-web"
  zone_name = local.zone

  disc {
    label = "vda"
    size  = 25600
  }
  reimage {
    distribution  = local.distribution
    root_password = local.root_password
  }
  ready {
    port    = local.ready_port
    timeout = "10m"
  }
}
`,
		ConfigStateChecks: []statecheck.StateCheck{value(web, knownvalue.NotNull(), "ready", "port")},
	}))
}
