package vm_test

import (
	"context"
	"fmt"
	"strconv"
	"testing"

	"github.com/hashicorp/terraform-plugin-framework/datasource"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/provider"
	"github.com/hashicorp/terraform-plugin-framework/providerserver"
	"github.com/hashicorp/terraform-plugin-framework/resource"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema"
	helper "github.com/hashicorp/terraform-plugin-testing/helper/resource"
	"github.com/hashicorp/terraform-plugin-testing/knownvalue"
	"github.com/hashicorp/terraform-plugin-testing/plancheck"
	"github.com/hashicorp/terraform-plugin-testing/statecheck"
	"github.com/hashicorp/terraform-plugin-testing/tfjsonpath"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/acctest"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/emulator"
)

// olderProvider stands in for the older provider: its resource only remembers
// what it is configured with.
type olderProvider struct{ provider.Provider }

func (olderProvider) Metadata(_ context.Context, _ provider.MetadataRequest, resp *provider.MetadataResponse) {
	resp.TypeName = "bigv"
}
func (olderProvider) Schema(context.Context, provider.SchemaRequest, *provider.SchemaResponse) {}
func (olderProvider) Configure(context.Context, provider.ConfigureRequest, *provider.ConfigureResponse) {
}
func (olderProvider) DataSources(context.Context) []func() datasource.DataSource { return nil }
func (olderProvider) Resources(context.Context) []func() resource.Resource {
	return []func() resource.Resource{func() resource.Resource { return olderResource{} }}
}

type olderResource struct{ resource.Resource }

func (olderResource) Metadata(_ context.Context, _ resource.MetadataRequest, resp *resource.MetadataResponse) {
	resp.TypeName = "bigv_vm"
}

func (olderResource) Schema(_ context.Context, _ resource.SchemaRequest, resp *resource.SchemaResponse) {
	resp.Schema.Attributes = map[string]schema.Attribute{
		"id": schema.StringAttribute{Required: true}, "name": schema.StringAttribute{Required: true},
		"group": schema.StringAttribute{Optional: true}, "zone": schema.StringAttribute{Optional: true}, "os": schema.StringAttribute{Optional: true},
		"ipv4": schema.StringAttribute{Optional: true}, "ipv6": schema.StringAttribute{Optional: true},
		"root_password": schema.StringAttribute{Optional: true, Sensitive: true}, "ssh_public_key": schema.StringAttribute{Optional: true},
		"firstboot_script": schema.StringAttribute{Optional: true},
		"cores":            schema.Int64Attribute{Optional: true}, "memory": schema.Int64Attribute{Optional: true},
		"disc_size": schema.Int64Attribute{Optional: true}, "group_id": schema.Int64Attribute{Optional: true},
		"power_on": schema.BoolAttribute{Optional: true}, "reboot": schema.BoolAttribute{Optional: true},
	}
}

func (olderResource) Create(_ context.Context, req resource.CreateRequest, resp *resource.CreateResponse) {
	resp.State.Raw = req.Plan.Raw
}
func (olderResource) Read(context.Context, resource.ReadRequest, *resource.ReadResponse) {}
func (olderResource) Update(ctx context.Context, _ resource.UpdateRequest, resp *resource.UpdateResponse) {
	resp.Diagnostics.AddAttributeError(path.Root("id"), "not for updates", "the test only moves")
}
func (olderResource) Delete(context.Context, resource.DeleteRequest, *resource.DeleteResponse) {}

// A moved block takes the machine over with an empty plan: nothing is asked of
// the service but to be read.
func TestMoveByTheCLI(t *testing.T) {
	e := acctest.StartEmulator(t, emulator.Options{})
	id := e.AddMachine(emulator.DemoAccount, emulator.DefaultGroup, olderMachine())
	providers := acctest.ProtoV6ProviderFactories()
	providers["bigv"] = providerserver.NewProtocol6WithError(olderProvider{})
	before := fmt.Sprintf(`
resource "bigv_vm" "web" {
  id = "%d"
  name = "web1"
  group = "default"
  zone = "york"
  cores = 2
  memory = 2048
  os = "bookworm"
  disc_size = 25
  root_password = "marker-1-marker"
  power_on = true
}`, id)
	const after = `
moved {
  from = bigv_vm.web
  to   = cloudserver_vm.web
}

resource "cloudserver_vm" "web" {
  name   = "web1"
  group  = "default"
  cores  = 2
  memory = 2048
  disc {
    label = "vda"
    size  = 25600
  }
  reimage {
    distribution  = "bookworm"
    root_password = "marker-1-marker"
  }
}`
	acctest.UnitTest(t, helper.TestCase{
		ProtoV6ProviderFactories: providers,
		Steps: []helper.TestStep{
			{Config: e.ProviderBlock() + before},
			{
				Config: e.ProviderBlock() + after,
				ConfigPlanChecks: helper.ConfigPlanChecks{PreApply: []plancheck.PlanCheck{
					plancheck.ExpectEmptyPlan(), plancheck.ExpectResourceAction("cloudserver_vm.web", plancheck.ResourceActionNoop), acctest.ExpectNoCalls(e),
				}},
				ConfigStateChecks: []statecheck.StateCheck{
					statecheck.ExpectKnownValue("cloudserver_vm.web", tfjsonpath.New("id"), knownvalue.StringExact(strconv.FormatInt(id, 10))),
					statecheck.ExpectKnownValue("cloudserver_vm.web", tfjsonpath.New("disc").AtSliceIndex(0).AtMapKey("storage_grade"), knownvalue.StringExact("sata")),
				},
			},
		},
		CheckDestroy: acctest.CheckDestroyed(e),
	})
}
