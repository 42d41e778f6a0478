import {
  to = cloudserver_vm.legacy
  id = "demo/default/legacy1"
}

resource "cloudserver_vm" "legacy" {
  name = "legacy1"

  disc {
    label         = "vda"
    size          = 25600
    storage_grade = "sata"
  }

  reimage {
    distribution  = "bookworm"
    root_password = var.root_password
  }
}

variable "root_password" {
  type      = string
  sensitive = true
  ephemeral = true
}
