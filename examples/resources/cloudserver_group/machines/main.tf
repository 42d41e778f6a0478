resource "cloudserver_group" "production" {
  name = "production"
}

resource "cloudserver_vm" "web" {
  group = cloudserver_group.production.name
  name  = "web1"

  disc {
    label = "vda"
    size  = 25600
  }
}
