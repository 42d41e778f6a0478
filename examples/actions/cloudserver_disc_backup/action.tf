resource "cloudserver_vm" "db" {
  name = "db1"

  disc {
    label = "vda"
    size  = 25600
  }
}

# terraform apply -invoke=action.cloudserver_disc_backup.db
action "cloudserver_disc_backup" "db" {
  config {
    virtual_machine_id = cloudserver_vm.db.id
    disc_id            = cloudserver_vm.db.disc_ids["vda"]
  }
}
