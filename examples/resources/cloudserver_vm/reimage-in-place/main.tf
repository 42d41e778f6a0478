resource "cloudserver_vm" "build" {
  name = "build1"

  disc {
    label = "vda"
    size  = 25600
  }

  disc {
    label = "cache"
    size  = 51200
  }

  reimage {
    distribution             = var.distribution
    root_password_wo         = var.root_password
    root_password_wo_version = 1

    # A change of this block erases the boot disc of this machine.
    # Id, addresses and the disc "cache" stay.
    in_place = true
  }
}

variable "distribution" {
  type    = string
  default = "bookworm"
}

variable "root_password" {
  type      = string
  sensitive = true
  ephemeral = true
}

output "id" {
  value = cloudserver_vm.build.id
}
