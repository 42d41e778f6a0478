resource "cloudserver_vm" "db" {
  name = "db1"

  disc {
    label = "vda"
    size  = 25600
  }
}

# terraform apply -invoke=action.cloudserver_disc_restore.db -var backup_id=1234
action "cloudserver_disc_restore" "db" {
  config {
    virtual_machine_id = cloudserver_vm.db.id
    disc_id            = cloudserver_vm.db.disc_ids["vda"]
    backup_id          = var.backup_id
    confirm            = true # what is on the disc is overwritten
  }
}

variable "backup_id" {
  type = string
}
