# The reverse names that somebody has set for machines whose name begins with web.
list "cloudserver_rdns" "web" {
  provider         = cloudserver
  include_resource = true
  limit            = 500

  config {
    name_pattern = "web*"
  }
}
