resource "cloudserver_vm" "web" {
  count = 2
  name  = "web${count.index + 1}"

  disc {
    label = "vda"
    size  = 25600
  }
}

data "cloudserver_vms" "web" {
  group        = "default"
  name_pattern = "web*"
  power_on     = true

  depends_on = [cloudserver_vm.web] # not where another configuration creates them
}

output "web_addresses" {
  value = { for vm in data.cloudserver_vms.web.virtual_machines : vm.name => vm.ipv4_address }
}

# Soft-deleted machines of the whole account: they hold their names and addresses until they are purged.
data "cloudserver_vms" "all" {
  include_deleted = true
}

output "soft_deleted" {
  value = [for vm in data.cloudserver_vms.all.virtual_machines : vm.hostname if vm.deleted]
}
