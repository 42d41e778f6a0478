data "cloudserver_groups" "all" {}

data "cloudserver_vms" "all" {}

data "cloudserver_rdns" "all" {
  for_each = toset(flatten(values(local.vms)[*].network_interfaces[*].ips))
  address  = each.value
}

locals {
  not_in_names = "/[^0-9A-Za-z_-]/"
  digit_first  = "/^([0-9])/"

  groups = { for group in data.cloudserver_groups.all.groups :
  replace(replace(group.name, local.not_in_names, "_"), local.digit_first, "_$1") => group }
  vms = { for vm in data.cloudserver_vms.all.virtual_machines :
  replace(replace("${vm.group}_${vm.name}", local.not_in_names, "_"), local.digit_first, "_$1") => vm }

  discs = merge([for name, vm in local.vms : {
    for i, disc in vm.disc : "${name}_${replace(disc.label, local.not_in_names, "_")}" => merge(disc, { vm = name, vm_id = vm.id, index = i })
  }]...)

  schedules = merge([for name, disc in local.discs : {
    for schedule in disc.backup_schedules : "${name}_${schedule.id}" => "${disc.vm_id}/${disc.id}/${schedule.id}"
  }]...)

  # Reverse names that somebody has set: the service's own is the hostname.
  rdns = { for address, found in data.cloudserver_rdns.all : replace("ip_${address}", local.not_in_names, "_") => address
  if !contains(values(local.vms)[*].hostname, coalesce(found.hostname, "none")) }

  imports = concat(
    [for name, group in local.groups : { to = "cloudserver_group.${name}", id = group.id }],
    [for name, vm in local.vms : { to = "cloudserver_vm.${name}", id = vm.id }],
    [for name, id in local.schedules : { to = "cloudserver_backup_schedule.${name}", id = id }],
    [for name, address in local.rdns : { to = "cloudserver_rdns.${name}", id = address }],
  )

  references = concat(
    [for name, group in local.groups : ["group", group.name, "cloudserver_group.${name}.id"]],
    [for name, vm in local.vms : ["virtual_machine_id", vm.id, "cloudserver_vm.${name}.id"]],
    [for disc in local.discs : ["disc_id", disc.id, "cloudserver_vm.${disc.vm}.disc[${disc.index}].id"]],
    [for name, vm in local.vms : ["address", vm.ipv4_address, "cloudserver_vm.${name}.ipv4_address"] if vm.ipv4_address != null],
    [for name, vm in local.vms : ["address", vm.ipv6_address, "cloudserver_vm.${name}.ipv6_address"] if vm.ipv6_address != null],
  )
}

output "imports" {
  value = join("\n", [for import in local.imports : <<-EOT
    import {
      to       = ${import.to}
      id       = "${import.id}"
      provider = cloudserver
    }
  EOT
  ])
}

# A script for sed: references instead of identifiers, and protection.
output "references" {
  value = join("\n", concat(
    ["/^ *group_id *= /d"],
    [for r in local.references : "s/^\\( *${r[0]} *= \\)\"${r[1]}\"/\\1${r[2]}/"],
    ["s/^\\( *\\)group\\( *= cloudserver_group\\)/\\1group_id\\2/", "/^ *deletion_protection *= /d", "/^resource \"cloudserver_vm\"/a\\", "  deletion_protection = true\n"],
  ))
}
