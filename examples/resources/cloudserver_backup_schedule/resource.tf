resource "cloudserver_vm" "db" {
  name = "db1"

  disc {
    label = "vda"
    size  = 25600
  }
}

# Sundays at 04:00 UTC; the last four backups are kept.
resource "cloudserver_backup_schedule" "weekly" {
  virtual_machine_id = cloudserver_vm.db.id
  disc_id            = cloudserver_vm.db.disc_ids["vda"]

  start_at         = "2026-01-04T04:00:00Z"
  interval_seconds = 7 * 24 * 60 * 60
  capacity         = 4
}
