package stories

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-framework/providerserver"
	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	random "github.com/hashicorp/terraform-plugin-testing/helper/acctest"
	"github.com/hashicorp/terraform-plugin-testing/helper/resource"
	"github.com/hashicorp/terraform-plugin-testing/plancheck"
	"github.com/hashicorp/terraform-plugin-testing/terraform"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/cloudserver"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/provider"
)

const (
	team     = "cloudserver_group.team"
	web      = "cloudserver_vm.web"
	nightly  = "cloudserver_backup_schedule.nightly"
	name     = "cloudserver_rdns.web"
	password = "tfacc-S3cret-only"
)

// TestAccLives creates one of each resource, changes them, imports them and destroys them. The CLI resolves what they
// refer to, in the order that it chooses, which the driver leaves to the test. After each step that applies, its plan is
// empty, which the test framework checks. The lives are one case, because each of its steps takes some eight processes.
func TestAccLives(t *testing.T) {
	distribution := distribution(t)
	before := lives{group: unique("group"), machine: unique("web"), cores: 1, size: 5120, interval: 604800, hostname: "tfacc-one.example.com"}
	after := lives{group: unique("group"), machine: unique("app"), cores: 2, size: 10240, interval: 86400, hostname: "tfacc-two.example.com"}
	var id string
	resource.ParallelTest(t, resource.TestCase{
		IsUnitTest: true, // without TF_ACC, against an emulator
		ProtoV6ProviderFactories: map[string]func() (tfprotov6.ProviderServer, error){
			"cloudserver": providerserver.NewProtocol6WithError(provider.New("test")()),
		},
		CheckDestroy: func(state *terraform.State) error { return areGone(t, state) },
		Steps: []resource.TestStep{
			{
				Config: before.config(distribution),
				Check: resource.ComposeAggregateTestCheckFunc(
					has(team, "name", before.group, "account", account),
					has(web, "name", before.machine, "account", account, "cores", "1", "disc.#", "2", "disc.1.size", "5120",
						"last_imaged_with", distribution),
					resource.TestMatchResourceAttr(web, "id", regexp.MustCompile(`^\d+$`)),
					resource.TestMatchResourceAttr(web, "hostname", regexp.MustCompile(`^`+before.machine+`\.`)),
					resource.TestCheckResourceAttrPair(web, "group_id", team, "id"),
					resource.TestCheckResourceAttrPair(nightly, "disc_id", web, "disc.1.id"),
					has(nightly, "interval_seconds", "604800", "capacity", "2"),
					resource.TestCheckResourceAttrPair(name, "address", web, "ipv4_address"),
					has("data.cloudserver_account.own", "name", account),
					lacks(password),
					func(state *terraform.State) error {
						id = state.RootModule().Resources[web].Primary.ID
						return nil
					},
				),
			},
			{
				Config: after.config(distribution) + reads,
				ConfigPlanChecks: resource.ConfigPlanChecks{PreApply: []plancheck.PlanCheck{
					plancheck.ExpectResourceAction(team, plancheck.ResourceActionUpdate),
					plancheck.ExpectResourceAction(web, plancheck.ResourceActionUpdate),
					plancheck.ExpectResourceAction(nightly, plancheck.ResourceActionReplace),
					plancheck.ExpectResourceAction(name, plancheck.ResourceActionUpdate),
				}},
				Check: resource.ComposeAggregateTestCheckFunc(
					has(team, "name", after.group),
					func(state *terraform.State) error { return has(web, "id", id)(state) },
					has(web, "name", after.machine, "cores", "2", "disc.1.size", "10240", "power_on", "true"),
					has(nightly, "interval_seconds", "86400"),
					has(name, "hostname", after.hostname),
					resource.TestCheckResourceAttrPair("data.cloudserver_vm.by_name", "id", web, "id"),
					resource.TestCheckResourceAttrPair("data.cloudserver_group.by_name", "id", team, "id"),
					has("data.cloudserver_vms.of_the_team", "virtual_machines.#", "1"),
					has("data.cloudserver_backups.data", "backups.#", "0"),
					resource.TestMatchResourceAttr("data.cloudserver_definitions.offered", "distributions.#", regexp.MustCompile(`^[1-9]`)),
				),
			},
			{ResourceName: team, ImportState: true, ImportStateVerify: true, ImportStateId: account + "/" + after.group},
			{
				ResourceName: web, ImportState: true, ImportStateVerify: true,
				ImportStateVerifyIgnore: []string{
					"last_change",                                                                           // of an update in this state
					"allow_stopping_for_update", "shutdown_timeout", "power_on", "autoreboot_on", "reimage", // known to the configuration alone
				},
			},
			{ResourceName: nightly, ImportState: true, ImportStateVerify: true, ImportStateIdFunc: func(state *terraform.State) (string, error) {
				s := state.RootModule().Resources[nightly].Primary.Attributes
				return s["virtual_machine_id"] + "/" + s["disc_id"] + "/" + s["id"], nil
			}},
			{ResourceName: name, ImportState: true, ImportStateVerify: true, ImportStateVerifyIdentifierAttribute: "address", ImportStateIdFunc: func(state *terraform.State) (string, error) {
				return state.RootModule().Resources[name].Primary.Attributes["address"], nil
			}},
		},
	})
}

// lives are the values that change in the lives of the resources.
type lives struct {
	group, machine, hostname string
	cores, size, interval    int
}

func (l lives) config(distribution string) string {
	return fmt.Sprintf(`
data "cloudserver_account" "own" {}

resource "cloudserver_group" "team" {
  name = %q
}

resource "cloudserver_vm" "web" {
  name   = %q
  group  = cloudserver_group.team.name
  cores  = %d
  memory = 1024

  allow_stopping_for_update = true
  shutdown_timeout          = "5s" # no guest reacts

  disc {
    label = "vda"
    size  = 25600
  }
  disc {
    label = "data"
    size  = %d
  }
  reimage {
    distribution  = %q
    root_password = %q
  }
}

resource "cloudserver_backup_schedule" "nightly" {
  virtual_machine_id = cloudserver_vm.web.id
  disc_id            = cloudserver_vm.web.disc_ids["data"]
  start_at           = "2040-01-01T04:00:00Z"
  interval_seconds   = %d
  capacity           = 2
}

resource "cloudserver_rdns" "web" {
  address  = cloudserver_vm.web.ipv4_address
  hostname = %q
}
`, l.group, l.machine, l.cores, l.size, distribution, password, l.interval, l.hostname)
}

const reads = `
data "cloudserver_definitions" "offered" {}

data "cloudserver_group" "by_name" {
  name = cloudserver_group.team.name
}
data "cloudserver_vm" "by_name" {
  group      = cloudserver_vm.web.group
  name       = cloudserver_vm.web.name
  depends_on = [cloudserver_vm.web]
}
data "cloudserver_vms" "of_the_team" {
  group      = cloudserver_group.team.name
  depends_on = [cloudserver_vm.web]
}
data "cloudserver_backups" "data" {
  virtual_machine_id = cloudserver_vm.web.id
  disc_id            = cloudserver_vm.web.disc_ids["data"]
}
`

// unique returns a name that no other run uses.
func unique(what string) string {
	return prefix + what + "-" + random.RandStringFromCharSet(8, random.CharSetAlphaNum)
}

// distribution returns one that the service offers: a well-known one, if possible.
func distribution(t *testing.T) string {
	t.Helper()
	offered, err := client.Definitions(t.Context())
	if err != nil || len(offered.Names[cloudserver.Distributions]) == 0 {
		t.Fatalf("the service has to offer a distribution: %v", err)
	}
	for _, known := range []string{"trixie", "bookworm", "noble", "jammy"} {
		if slices.Contains(offered.Names[cloudserver.Distributions], known) {
			return known
		}
	}
	return offered.Names[cloudserver.Distributions][0]
}

// has checks attributes of a resource: name, value, name, value, …
func has(address string, pairs ...string) resource.TestCheckFunc {
	var checks []resource.TestCheckFunc
	for pair := range slices.Chunk(pairs, 2) {
		checks = append(checks, resource.TestCheckResourceAttr(address, pair[0], pair[1]))
	}
	return resource.ComposeAggregateTestCheckFunc(checks...)
}

// lacks checks that no attribute has a text.
func lacks(text string) resource.TestCheckFunc {
	return func(state *terraform.State) error {
		if strings.Contains(state.String(), text) {
			return fmt.Errorf("the state contains %q", text)
		}
		return nil
	}
}

// areGone returns an error if the service still has a machine or group of the state.
func areGone(t *testing.T, state *terraform.State) error {
	groups, err := client.Groups(t.Context(), account)
	if err != nil {
		return err
	}
	group, machine := state.RootModule().Resources[team].Primary.ID, state.RootModule().Resources[web].Primary.ID
	if slices.ContainsFunc(groups, func(g cloudserver.Group) bool { return strconv.FormatInt(g.ID, 10) == group }) {
		return fmt.Errorf("group %s is not gone", group)
	}
	id, err := strconv.ParseInt(machine, 10, 64)
	if err != nil {
		return err
	}
	if _, err := client.VirtualMachine(t.Context(), id, cloudserver.IncludeDeleted); !cloudserver.IsNotFound(err) {
		return fmt.Errorf("machine %s is not gone: %w", machine, err)
	}
	return nil
}
