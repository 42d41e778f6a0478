resource "cloudserver_vm" "db" {
  name = "db1"

  disc {
    label = "vda"
    size  = 25600
  }
}

data "cloudserver_backups" "db" {
  virtual_machine_id = cloudserver_vm.db.id
  disc_id            = cloudserver_vm.db.disc_ids["vda"]
}

output "stored" {
  value = { for backup in data.cloudserver_backups.db.backups : backup.id => backup.label if backup.stored }
}
