data "cloudserver_definitions" "offered" {}

# One machine in each zone that the service offers.
resource "cloudserver_vm" "web" {
  for_each = toset(data.cloudserver_definitions.offered.zone_names)

  name      = "web-${each.key}"
  zone_name = each.key

  disc {
    label = "vda"
    size  = 25600
  }
}

output "addresses" {
  value = { for zone, machine in cloudserver_vm.web : zone => machine.ipv4_address }
}
