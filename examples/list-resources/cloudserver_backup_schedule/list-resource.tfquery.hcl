# The backup schedules of all machines of the group default.
list "cloudserver_backup_schedule" "all" {
  provider         = cloudserver
  include_resource = true
  limit            = 500

  config {
    group = "default"
  }
}
