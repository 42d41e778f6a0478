# A machine that another configuration manages; here it is created, so that the example runs as it stands.
resource "cloudserver_vm" "db" {
  group = "private"
  name  = "db1"

  disc {
    label = "vda"
    size  = 25600
  }
}

data "cloudserver_vm" "db" {
  group = "private"
  name  = "db1"

  depends_on = [cloudserver_vm.db] # not where another configuration creates it
}

output "database" {
  value = {
    address    = data.cloudserver_vm.db.ipv4_address
    macs       = data.cloudserver_vm.db.network_interfaces[*].mac
    interfaces = data.cloudserver_vm.db.network_interfaces
  }
}
