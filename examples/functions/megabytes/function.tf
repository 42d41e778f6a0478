resource "cloudserver_vm" "web" {
  name   = "web1"
  memory = provider::cloudserver::megabytes("4GiB") # 4096

  disc {
    label = "vda"
    size  = provider::cloudserver::megabytes("25GiB") # 25600
  }
}
