terraform import cloudserver_backup_schedule.weekly 1004/1005/1234
