data "cloudserver_vms" "web" {
  group        = "default"
  name_pattern = "web*"
  power_on     = true
}

output "web_addresses" {
  value = { for vm in data.cloudserver_vms.web.virtual_machines : vm.name => vm.ipv4_address }
}
