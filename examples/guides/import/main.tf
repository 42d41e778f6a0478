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
    distribution             = "bookworm"
    root_password_wo         = var.root_password
    root_password_wo_version = 1
  }
}

variable "root_password" {
  type      = string
  sensitive = true
  ephemeral = true
}
