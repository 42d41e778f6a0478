list "cloudserver_rdns" "web" {
  provider         = cloudserver
  include_resource = true
  limit            = 500

  config {
    name_pattern = "web*"
  }
}
