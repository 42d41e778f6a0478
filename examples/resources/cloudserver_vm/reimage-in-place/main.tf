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
    distribution  = var.distribution
    root_password = var.root_password

    # A new distribution or revision erases the boot disc of this machine.
    # Its ID, its addresses and the disc "cache" stay.
    on_change = "reimage"
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
