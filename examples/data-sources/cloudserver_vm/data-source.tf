data "cloudserver_vm" "db" {
  group = "private"
  name  = "db1"
}

output "database" {
  value = {
    address = data.cloudserver_vm.db.ipv4_address
    macs    = data.cloudserver_vm.db.network_interfaces[*].mac
  }
}
