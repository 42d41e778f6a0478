import {
  to       = cloudserver_backup_schedule.weekly
  identity = { disc_id = "1005", id = "1234" }
}
