locals {
  machines = {
    a = { name = "db1", address = "192.0.2.11" }
    b = { name = "db2", address = "192.0.2.12" }
  }
}

resource "cloudserver_vm" "db" {
  for_each = local.machines

  group = "private" # a group on a private VLAN
  name  = each.value.name

  disc {
    label = "vda"
    size  = 25600
  }

  ips {
    ipv4 = each.value.address
  }
}

# address is known at plan, so that a rename of the machine does not replace its name here.
resource "cloudserver_rdns" "db" {
  for_each = local.machines

  address  = each.value.address
  hostname = "${each.value.name}.example.com"

  depends_on = [cloudserver_vm.db]
}
