data "cloudserver_vms" "web" {
  group        = "default"
  name_pattern = "web*"
  power_on     = true
}

output "web_addresses" {
  value = { for vm in data.cloudserver_vms.web.virtual_machines : vm.name => vm.ipv4_address }
}

# Soft-deleted machines of the whole account.
data "cloudserver_vms" "all" {
  include_deleted = true
}

output "soft_deleted" {
  value = [for vm in data.cloudserver_vms.all.virtual_machines : vm.hostname if vm.deleted]
}
