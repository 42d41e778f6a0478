# A disc gets a backup schedule. A change of the machine does not touch it, another interval replaces it, and a
# block that gets another label keeps it.

# A disc is backed up once a week.
resource "cloudserver_vm" "web" {
  name = "web1"
  disc {
    label = "vda"
    size  = 25600
  }
  disc {
    label = "data"
    size  = 10240
  }
}

resource "cloudserver_backup_schedule" "data" {
  virtual_machine_id = cloudserver_vm.web.id
  disc_id            = cloudserver_vm.web.disc_ids["data"]
  start_at           = "2000-01-08 04:00:00"
  interval_seconds   = 604800
}

apply {
  sees = [
    "+ cloudserver_vm.web",
    "+ cloudserver_backup_schedule.data",
  ]
  leaves = [
    "machine 1004 web1 of default: on, 1 cores, 1024 MB",
    "  disc 1005 vda: 25600 MB",
    "  disc 1006 data: 10240 MB",
    "  schedule 1008: every 604800 s",
  ]
}

# The machine is renamed.
resource "cloudserver_vm" "web" {
  name = "app1"
}

apply {
  sees = [
    "~ cloudserver_vm.web: hostname, name",
  ]
  leaves = [
    "machine 1004 app1 of default: on, 1 cores, 1024 MB",
    "  disc 1005 vda: 25600 MB",
    "  disc 1006 data: 10240 MB",
    "  schedule 1008: every 604800 s",
  ]
}

# The disc is backed up once a day.
resource "cloudserver_backup_schedule" "data" {
  interval_seconds = 86400
}

apply {
  sees = [
    "-/+ cloudserver_backup_schedule.data: interval_seconds",
    "warning at interval_seconds: The backup schedule is deleted before its successor is created",
  ]
  leaves = [
    "machine 1004 app1 of default: on, 1 cores, 1024 MB",
    "  disc 1005 vda: 25600 MB",
    "  disc 1006 data: 10240 MB",
    "  schedule 1009: every 86400 s",
  ]
}

# Its block gets another label, without a block "moved". The new block takes the schedule over, and the old one
# leaves it.
without "cloudserver_backup_schedule" "data" {}

resource "cloudserver_backup_schedule" "daily" {
  virtual_machine_id = cloudserver_vm.web.id
  disc_id            = cloudserver_vm.web.disc_ids["data"]
  start_at           = "2000-01-08 04:00:00"
  interval_seconds   = 86400
}

apply {
  sees = [
    "- cloudserver_backup_schedule.data",
    "+ cloudserver_backup_schedule.daily",
    "warning at disc_id: An equal backup schedule is managed from now on",
  ]
  leaves = [
    "machine 1004 app1 of default: on, 1 cores, 1024 MB",
    "  disc 1005 vda: 25600 MB",
    "  disc 1006 data: 10240 MB",
    "  schedule 1009: every 86400 s",
  ]
}

plan {
  sees = [
    "no changes",
  ]
}
