action "cloudserver_disc_backup" "data" {
  config {
    virtual_machine_id = cloudserver_vm.db.id
    disc_id            = cloudserver_vm.db.disc_ids["data"]
  }
}

action "cloudserver_disc_restore" "data" {
  config {
    virtual_machine_id = cloudserver_vm.db.id
    disc_id            = cloudserver_vm.db.disc_ids["data"]
    backup_id          = var.backup_id
    confirm            = true # what is on the disc is overwritten
  }
}

variable "backup_id" {
  type    = string
  default = null
}
