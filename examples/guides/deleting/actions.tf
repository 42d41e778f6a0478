action "cloudserver_disc_backup" "data" {
  config {
    virtual_machine_id = local.data.virtual_machine_id
    disc_id            = local.data.disc_id
  }
}

action "cloudserver_disc_restore" "data" {
  config {
    virtual_machine_id = local.data.virtual_machine_id
    disc_id            = local.data.disc_id
    backup_id          = var.backup_id
    confirm            = true # what is on the disc is overwritten
  }
}

variable "backup_id" {
  description = "ID of the backup to restore, from the output backups."
  type        = string
  default     = null
}
