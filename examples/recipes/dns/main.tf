resource "cloudserver_vm" "web" {
  for_each = toset(["web1", "web2"])

  name = each.key

  disc {
    label = "vda"
    size  = 25600
  }
}

# Forward records, for the DNS provider of your choice, or as a part of a zone file.
locals {
  records = flatten([for name, machine in cloudserver_vm.web : [
    { name = name, type = "A", value = machine.ipv4_address },
    { name = name, type = "AAAA", value = machine.ipv6_address },
  ]])
}

output "zone_file" {
  value = join("\n", [for r in local.records : "${r.name} 300 IN ${r.type} ${r.value}"])
}

# Reverse records are at the service.
resource "cloudserver_rdns" "web" {
  for_each = cloudserver_vm.web

  address  = each.value.ipv4_address
  hostname = "${each.key}.example.com"
}
