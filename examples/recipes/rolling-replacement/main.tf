# The image of each machine. Change one line, apply, look whether the machine does its work, and go on with the next.
variable "images" {
  type = map(string)
  default = {
    web1 = "2026-11"
    web2 = "2026-11"
    web3 = "2026-11"
  }
}

resource "cloudserver_vm" "web" {
  for_each = var.images

  name = each.key

  disc {
    label = "vda"
    size  = 25600
  }

  reimage {
    distribution  = "bookworm"
    root_password = var.root_password
    revision      = each.value
    on_change     = "reimage" # keeps ID and addresses; "replace" makes a new machine
  }
}

variable "root_password" {
  type      = string
  sensitive = true
  ephemeral = true
}

