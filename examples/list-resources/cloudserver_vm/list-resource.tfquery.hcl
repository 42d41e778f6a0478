# Machines of the group default that are on and whose name begins with web.
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
