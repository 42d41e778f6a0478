// SPDX-License-Identifier: MPL-2.0

package acceptance

import (
	"testing"

	"github.com/hashicorp/terraform-plugin-testing/helper/resource"
	"github.com/hashicorp/terraform-plugin-testing/knownvalue"
	"github.com/hashicorp/terraform-plugin-testing/statecheck"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/acceptance/harness"
)

// The service lists what a machine may be made of, and the groups of an account, which are found by name and by ID.
func TestAccService_offers(t *testing.T) {
	a := harness.Begin(t, harness.Distribution)
	a.Run(harness.Proves("5.1 5.2 6.1 8.4", resource.TestStep{
		Config: `
data "cloudserver_definitions" "offered" {}

data "cloudserver_account" "own" {}

data "cloudserver_groups" "all" {}

data "cloudserver_group" "by_name" {
  name = local.group
}
data "cloudserver_group" "by_id" {
  id = data.cloudserver_group.by_name.id
}

output "has_distribution" {
  value = contains(data.cloudserver_definitions.offered.distributions, local.distribution)
}
output "has_zone" {
  value = local.zone == null ? true : contains(data.cloudserver_definitions.offered.zone_names, local.zone)
}
output "has_grades" {
  value = length(data.cloudserver_definitions.offered.storage_grades) > 0
}
output "has_the_group" {
  value = contains(data.cloudserver_groups.all.groups[*].name, local.group)
}
`,
		ConfigStateChecks: []statecheck.StateCheck{
			statecheck.ExpectKnownOutputValue("has_distribution", knownvalue.Bool(true)),
			statecheck.ExpectKnownOutputValue("has_zone", knownvalue.Bool(true)),
			statecheck.ExpectKnownOutputValue("has_grades", knownvalue.Bool(true)),
			statecheck.ExpectKnownOutputValue("has_the_group", knownvalue.Bool(true)),
			value("data.cloudserver_account.own", knownvalue.StringExact(a.Choice(harness.Account)), "name"),
			value("data.cloudserver_account.own", knownvalue.Bool(false), "suspended"),
			value("data.cloudserver_group.by_id", knownvalue.StringExact(a.Choice(harness.Group)), "name"),
		},
	}))
}

// A session is the token of another provider block. It is ephemeral: only its length gets into this state.
func TestAccService_session(t *testing.T) {
	a := harness.Begin(t, harness.Username)
	a.Run(harness.Proves("2.1 2.5", resource.TestStep{
		Config: `
ephemeral "cloudserver_session" "own" {}

provider "cloudserver" {
  alias = "by_session"
  token = ephemeral.cloudserver_session.own.token
}
data "cloudserver_account" "own" {
  provider = cloudserver.by_session
}

provider "echo" {
  data = length(ephemeral.cloudserver_session.own.token) > 0
}
resource "echo" "has_token" {}
`,
		ConfigStateChecks: []statecheck.StateCheck{
			value("echo.has_token", knownvalue.Bool(true), "data"),
			value("data.cloudserver_account.own", knownvalue.StringExact(a.Choice(harness.Account)), "name"),
		},
	}))
}
