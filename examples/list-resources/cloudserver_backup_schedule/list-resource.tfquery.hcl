list "cloudserver_backup_schedule" "all" {
  provider         = cloudserver
  include_resource = true
  limit            = 500

  config {
    group = "default"
  }
}
