list "cloudserver_vm" "web" {
  provider         = cloudserver
  include_resource = true
  limit            = 50

  config {
    group        = "default"
    name_pattern = "web*"
    power_on     = true
  }
}
