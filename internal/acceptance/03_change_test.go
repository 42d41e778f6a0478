// SPDX-License-Identifier: MPL-2.0

package acceptance

import (
	"regexp"
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-testing/compare"
	"github.com/hashicorp/terraform-plugin-testing/helper/resource"
	"github.com/hashicorp/terraform-plugin-testing/knownvalue"
	"github.com/hashicorp/terraform-plugin-testing/plancheck"
	"github.com/hashicorp/terraform-plugin-testing/statecheck"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/acceptance/harness"
)

// machine returns a machine with a boot disc, and further arguments and blocks.
func machine(more ...string) string {
	return `
resource "cloudserver_vm" "web" {
  name             = "${local.prefix}-web"
  zone_name        = local.zone
  shutdown_timeout = "20s"

  disc {
    label = "vda"
    size  = 25600
  }
  ` + strings.Join(more, "\n  ") + `
}
`
}

// Settings change in place, while the machine runs.
func TestAccChange_settings(t *testing.T) {
	a := harness.Begin(t, harness.Keymap, harness.OtherKeymap)
	same := statecheck.CompareValue(compare.ValuesSame())
	a.Run(
		harness.Proves("7.5", resource.TestStep{
			Config: machine(`keymap = local.keymap`, `hardware_profile_locked = true`),
			ConfigStateChecks: []statecheck.StateCheck{
				value(web, knownvalue.StringExact(a.Choice(harness.Keymap)), "keymap"),
				value(web, knownvalue.Bool(true), "hardware_profile_locked"),
				same.AddStateValue(web, at("id")),
			},
		}),
		harness.Proves("3.5 1.4", resource.TestStep{
			Config:           machine(`keymap = local.other_keymap`, `hardware_profile_locked = false`, `autoreboot_on = false`),
			ConfigPlanChecks: planned(plancheck.ResourceActionUpdate),
			ConfigStateChecks: []statecheck.StateCheck{
				value(web, knownvalue.StringExact(a.Choice(harness.OtherKeymap)), "keymap"),
				value(web, knownvalue.Bool(false), "hardware_profile_locked"),
				value(web, knownvalue.Bool(false), "autoreboot_on"),
				same.AddStateValue(web, at("id")),
			},
		}),
	)
}

// A machine moves to another group and gets another name. Its hostname follows.
func TestAccChange_moved(t *testing.T) {
	a := harness.Begin(t)
	const group = `
resource "cloudserver_group" "team" {
  name = "${local.prefix}-team"
}
`
	same := statecheck.CompareValue(compare.ValuesSame())
	a.Run(
		harness.Proves("5.3 8.1", resource.TestStep{
			Config: group + machine(), ConfigStateChecks: []statecheck.StateCheck{same.AddStateValue(web, at("id"))},
		}),
		harness.Proves("3.5", resource.TestStep{
			Config:           group + strings.Replace(machine(`group = cloudserver_group.team.name`), "-web", "-app", 1),
			ConfigPlanChecks: planned(plancheck.ResourceActionUpdate),
			ConfigStateChecks: []statecheck.StateCheck{
				statecheck.CompareValuePairs(web, at("group_id"), team, at("id"), compare.ValuesSame()),
				value(web, knownvalue.StringExact(a.Name("app")), "name"),
				value(web, knownvalue.StringRegexp(regexp.MustCompile("^"+a.Name("app")+`\.`+a.Name("team")+`\.`)), "hostname"),
				same.AddStateValue(web, at("id")),
			},
		}),
	)
}

// More cores and memory need a restart, which has to be allowed. Afterwards the machine is on.
func TestAccChange_resized(t *testing.T) {
	a := harness.Begin(t)
	const bigger = "cores = 2\n  memory = 2048\n"
	same := statecheck.CompareValue(compare.ValuesSame())
	a.Run(
		harness.Proves("7.6", resource.TestStep{
			Config:            machine(`cores = 1`, `memory = 1024`),
			ConfigStateChecks: []statecheck.StateCheck{same.AddStateValue(web, at("id"))},
		}),
		harness.Proves("3.11", resource.TestStep{Config: machine(bigger), ExpectError: says("without a restart")}),
		harness.Proves("3.8 3.11", resource.TestStep{
			Config:           machine(bigger, `allow_stopping_for_update = true`, `power_on = true`),
			ConfigPlanChecks: planned(plancheck.ResourceActionUpdate),
			ConfigStateChecks: []statecheck.StateCheck{
				value(web, knownvalue.Int64Exact(2), "cores"),
				value(web, knownvalue.Int64Exact(2048), "memory"),
				value(web, knownvalue.Bool(true), "power_on"),
				value(web, knownvalue.StringExact("cores = 2, memory = 2048"), "last_change", "stops"),
				same.AddStateValue(web, at("id")),
			},
		}),
	)
}

// Another hardware profile needs a restart as well.
func TestAccChange_profile(t *testing.T) {
	a := harness.Begin(t, harness.HardwareProfile, harness.OtherHardwareProfile)
	a.Run(
		harness.Proves("7.5", resource.TestStep{Config: machine(`hardware_profile = local.hardware_profile`)}),
		harness.Proves("3.5 3.12", resource.TestStep{
			Config: machine(`hardware_profile = local.other_hardware_profile`, `hardware_profile_locked = true`,
				`allow_stopping_for_update = true`),
			ConfigPlanChecks: planned(plancheck.ResourceActionUpdate),
			ConfigStateChecks: []statecheck.StateCheck{
				value(web, knownvalue.StringExact(a.Choice(harness.OtherHardwareProfile)), "effective_hardware_profile"),
			},
		}),
	)
}
