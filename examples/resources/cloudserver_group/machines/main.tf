resource "cloudserver_group" "production" {
  name = "production"
}

resource "cloudserver_vm" "web" {
  group_id = cloudserver_group.production.id
  name     = "web1"

  disc {
    label = "vda"
    size  = 25600
  }
}
