terraform {
  required_providers {
    cloudserver = {
      source  = "cloudserver/cloudserver"
      version = "~> 1.0"
    }
  }
}

variable "group" {
  type    = string
  default = "shop"
}

variable "machines" {
  type = map(object({
    name  = string
    discs = optional(list(object({ label = string, size = number })), [])
  }))
  default = {
    app      = { name = "app1" }
    database = { name = "db1", discs = [{ label = "data", size = 51200 }] }
  }

  validation {
    condition     = alltrue([for m in var.machines : length(m.discs) < 8])
    error_message = "A machine has at most eight discs, with the boot disc."
  }
}

resource "cloudserver_group" "this" {
  name = var.group
}

resource "cloudserver_vm" "this" {
  for_each = var.machines
  group    = cloudserver_group.this.name
  name     = each.value.name

  disc {
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

resource "cloudserver_backup_schedule" "this" {
  for_each           = cloudserver_vm.this
  virtual_machine_id = each.value.id
  disc_id            = each.value.disc_ids["vda"]
  start_at           = "2026-01-04T04:00:00Z"
  interval_seconds   = 7 * 24 * 60 * 60
}

output "addresses" {
  value = { for key, vm in cloudserver_vm.this : key => vm.ipv4_address }
}
