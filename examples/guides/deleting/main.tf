terraform {
  required_providers {
    cloudserver = {
      source  = "cloudserver/cloudserver"
      version = "~> 1.0"
    }
  }
}

provider "cloudserver" {}

resource "cloudserver_vm" "db" {
  name                = "db1"
  deletion_protection = var.protected
  purge_on_destroy    = false # a destroy can be undone

  disc {
    label = "vda"
    size  = 25600
  }

  disc {
    label = "data"
    size  = 51200
  }
}

variable "protected" {
  type    = bool
  default = true
}

# Sundays at 04:00 UTC.
resource "cloudserver_backup_schedule" "data" {
  virtual_machine_id = cloudserver_vm.db.id
  disc_id            = cloudserver_vm.db.disc_ids["data"]
  start_at           = "2026-01-04T04:00:00Z"
  interval_seconds   = 7 * 24 * 60 * 60
  capacity           = 4
}

data "cloudserver_backups" "data" {
  virtual_machine_id = cloudserver_vm.db.id
  disc_id            = cloudserver_vm.db.disc_ids["data"]
}

output "backups" {
  value = { for backup in data.cloudserver_backups.data.backups : backup.id => backup.label if backup.stored }
}
