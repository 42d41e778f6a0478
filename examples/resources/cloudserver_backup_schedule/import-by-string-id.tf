import {
  to = cloudserver_backup_schedule.weekly
  id = "1004/1005/1234" # virtual_machine_id/disc_id/id
}
