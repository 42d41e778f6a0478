resource "cloudserver_vm" "web" {
  for_each = { a = "web1", b = "web2" }

  name = each.value

  disc {
    label = "vda"
    size  = 25600
  }
}

# Forward records, for the DNS provider of your choice, or as a part of a zone file.
locals {
  records = flatten([for machine in cloudserver_vm.web : [
    { name = machine.name, type = "A", value = machine.ipv4_address },
    { name = machine.name, type = "AAAA", value = machine.ipv6_address },
  ]])
}

output "zone_file" {
  value = join("\n", [for r in local.records : "${r.name} 300 IN ${r.type} ${r.value}"])
}
