data "cloudserver_groups" "all" {}

data "cloudserver_vms" "of" {
  for_each = toset(data.cloudserver_groups.all.groups[*].name)
  group    = each.value
}

output "machines" {
  value = { for group, found in data.cloudserver_vms.of : group => found.virtual_machines[*].name }
}
