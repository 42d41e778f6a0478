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
  description = "Machines by key."
  type = map(object({
    name      = string
    memory    = optional(number, 2048)
    discs     = optional(list(object({ label = string, size = number })), [])
    backed_up = optional(set(string), ["vda"]) # labels
  }))
  default = {
    app      = { name = "app1" }
    database = { name = "db1", discs = [{ label = "data", size = 51200 }], backed_up = ["vda", "data"] }
  }

  validation {
    condition     = alltrue([for m in var.machines : length(setsubtract(m.backed_up, concat(["vda"], m.discs[*].label))) == 0])
    error_message = "backed_up must name discs of the machine."
  }
}

resource "cloudserver_group" "this" {
  name = var.group
}

resource "cloudserver_vm" "this" {
  for_each      = var.machines
  group         = cloudserver_group.this.name
  name          = each.value.name
  memory        = each.value.memory
  autoreboot_on = true # a plan sets it again, whoever or whatever left it false

  disc { # the first disc is the boot disc
    label = "vda"
    size  = 25600
  }

  dynamic "disc" {
    for_each = each.value.discs

    content {
      label = disc.value.label
      size  = disc.value.size
    }
  }
}

locals {
  backed_up = merge([for key, m in var.machines : {
    for label in m.backed_up : "${key}/${label}" => { machine = key, label = label }
  }]...)
}

resource "cloudserver_backup_schedule" "this" {
  for_each           = local.backed_up
  virtual_machine_id = cloudserver_vm.this[each.value.machine].id
  disc_id            = cloudserver_vm.this[each.value.machine].disc_ids[each.value.label]
  start_at           = "2026-01-04 04:00:00"
  interval_seconds   = 7 * 24 * 60 * 60
}

output "addresses" {
  value = { for key, vm in cloudserver_vm.this : key => vm.ipv4_address }
}
