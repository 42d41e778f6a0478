// SPDX-License-Identifier: MPL-2.0

package acceptance

import (
	"testing"

	"github.com/hashicorp/terraform-plugin-testing/compare"
	"github.com/hashicorp/terraform-plugin-testing/helper/resource"
	"github.com/hashicorp/terraform-plugin-testing/knownvalue"
	"github.com/hashicorp/terraform-plugin-testing/plancheck"
	"github.com/hashicorp/terraform-plugin-testing/statecheck"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/acceptance/harness"
)

// On a private VLAN a machine gets the address that it is created with. No other machine gets it.
func TestAccAddresses_private(t *testing.T) {
	a := harness.Begin(t, harness.PrivateGroup, harness.PrivateIPv4)
	config := func(resource string) string {
		return `
resource "cloudserver_vm" "` + resource + `" {
  name      = "${local.prefix}-` + resource + `"
  group     = local.private_group
  zone_name = local.zone

  disc {
    label = "vda"
    size  = 25600
  }
  ips {
    ipv4 = local.private_ipv4
  }
}
`
	}
	a.Run(
		harness.Proves("7.3", resource.TestStep{
			Config: config("web"),
			ConfigStateChecks: []statecheck.StateCheck{
				value(web, knownvalue.StringExact(a.Choice(harness.PrivateIPv4)), "ipv4_address"),
			},
		}),
		harness.Proves("7.3 7.4", resource.TestStep{
			Config: config("web") + config("second"), ExpectError: says("Cannot create virtual machine"),
		}),
	)
}

// An address has a reverse name, which is set, changed, found and imported.
func TestAccAddresses_reverseName(t *testing.T) {
	a := harness.Begin(t)
	config := func(hostname string) string {
		return machine() + `
resource "cloudserver_rdns" "web" {
  address  = cloudserver_vm.web.ipv4_address
  hostname = "` + hostname + `"
}

data "cloudserver_rdns" "web" {
  address    = cloudserver_rdns.web.address
  depends_on = [cloudserver_rdns.web]
}
`
	}
	a.Run(
		harness.Proves("5.4", resource.TestStep{
			Config: config("one.example.com"),
			ConfigStateChecks: []statecheck.StateCheck{
				statecheck.CompareValuePairs(web, at("ipv4_address"), name, at("address"), compare.ValuesSame()),
				value("data.cloudserver_rdns.web", knownvalue.StringExact("one.example.com"), "hostname"),
			},
		}),
		harness.Proves("5.4", resource.TestStep{
			Config:           config("two.example.com"),
			ConfigPlanChecks: plans(name, plancheck.ResourceActionUpdate),
			ConfigStateChecks: []statecheck.StateCheck{
				value("data.cloudserver_rdns.web", knownvalue.StringExact("two.example.com"), "hostname"),
			},
		}),
		harness.Proves("5.4", a.ImportByIdentity(name, "address")),
	)
}
