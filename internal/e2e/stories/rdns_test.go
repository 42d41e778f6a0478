package stories

import (
	"testing"

	"github.com/hashicorp/terraform-plugin-testing/helper/resource"
	"github.com/hashicorp/terraform-plugin-testing/plancheck"
)

func TestAccRDNS_life(t *testing.T) {
	const address = "cloudserver_rdns.web"
	name := unique("web")
	config := machine(name, boot()) + `
resource "cloudserver_rdns" "web" {
  address  = cloudserver_vm.web.ipv4_address
  hostname = "tfacc-one.example.com"
}
`
	story(
		t,
		resource.TestStep{Config: config, Check: resource.TestCheckResourceAttrPair(address, "address", web, "ipv4_address")},
		expect(resource.TestStep{
			Config: replaced(config, "tfacc-one", "tfacc-two"),
			Check:  hasAt(address, "hostname", "tfacc-two.example.com"),
		}, address, plancheck.ResourceActionUpdate),
		resource.TestStep{ResourceName: address, ImportState: true, ImportStateVerify: true, ImportStateVerifyIdentifierAttribute: "address", ImportStateIdFunc: attribute(address, "address")},
	)
}
