import {
  to = cloudserver_vm.web1
  id = "demo/web/web1" # account/group/name, group/name, or the ID
}

resource "cloudserver_vm" "web1" {
  name  = "web1"
  group = "web"

  disc {
    label = "vda"
    size  = 25600
  }

  disc {
    label = "data"
    size  = 51200
  }

  reimage { distribution = "bookworm" }
}
