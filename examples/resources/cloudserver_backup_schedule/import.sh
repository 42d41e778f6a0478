# By the IDs of the machine, the disc and the schedule.
terraform import cloudserver_backup_schedule.weekly 1004/1005/1234
