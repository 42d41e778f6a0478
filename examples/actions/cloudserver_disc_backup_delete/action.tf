resource "cloudserver_vm" "db" {
  name = "db1"

  disc {
    label = "vda"
    size  = 25600
  }
}

# terraform apply -invoke=action.cloudserver_disc_backup_delete.db -var backup_id=1234
action "cloudserver_disc_backup_delete" "db" {
  config {
    virtual_machine_id = cloudserver_vm.db.id
    disc_id            = cloudserver_vm.db.disc_ids["vda"]
    backup_id          = var.backup_id
    confirm            = true # it cannot be restored any more
  }
}

variable "backup_id" {
  type = string
}
