list "cloudserver_group" "all" {
  provider         = cloudserver
  include_resource = true
}
