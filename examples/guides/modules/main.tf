terraform {
  required_providers {
    cloudserver = {
      source  = "cloudserver/cloudserver"
      version = "~> 1.0"
    }
  }
}

variable "group" {
  description = "Name of the group, which the module creates."
  type        = string
  default     = "shop"
}

variable "machines" {
  description = "Machines by key. A changed key is another machine; a changed name is not."
  type = map(object({
    name      = string
    cores     = optional(number, 1)
    memory    = optional(number, 2048)
    boot_size = optional(number, 25600)
    discs     = optional(map(number), {})      # label => megabytes
    backed_up = optional(set(string), ["vda"]) # labels
  }))
  default = {
    app      = { name = "app1" }
    database = { name = "db1", memory = 4096, discs = { data = 51200 }, backed_up = ["vda", "data"] }
  }

  validation {
    condition = alltrue([for m in var.machines : alltrue([
      for label in m.backed_up : label == "vda" || contains(keys(m.discs), label)
    ])])
    error_message = "backed_up must name discs of the machine."
  }
}

resource "cloudserver_group" "this" {
  name = var.group
}

resource "cloudserver_vm" "this" {
  for_each = var.machines
  group_id = cloudserver_group.this.id
  name     = each.value.name
  cores    = each.value.cores
  memory   = each.value.memory

  disc { # the first disc is the boot disc
    label = "vda"
    size  = each.value.boot_size
  }

  dynamic "disc" {
    for_each = each.value.discs

    content {
      label = disc.key
      size  = disc.value
    }
  }
}

locals {
  disc_ids = { for key, vm in cloudserver_vm.this : key => { for disc in vm.disc : disc.label => disc.id } }

  backed_up = merge([for key, m in var.machines : {
    for label in m.backed_up : "${key}/${label}" => { machine = key, label = label }
  }]...)
}

resource "cloudserver_backup_schedule" "this" {
  for_each           = local.backed_up
  virtual_machine_id = cloudserver_vm.this[each.value.machine].id
  disc_id            = local.disc_ids[each.value.machine][each.value.label]
  start_at           = "2027-01-03 04:00:00"
  interval_seconds   = 7 * 24 * 60 * 60
}

output "addresses" {
  value = { for key, vm in cloudserver_vm.this : key => vm.ipv4_address }
}
