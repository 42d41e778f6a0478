terraform {
  required_providers {
    cloudserver = {
      source = "cloudserver/cloudserver"
    }
  }
}

variable "n" {
  type = number
}

variable "first" {
  default = "web0"
}

variable "root_password" {
  type      = string
  default   = null
  sensitive = true
}

resource "cloudserver_vm" "one" {
  count  = var.n
  name   = count.index == 0 ? var.first : "web${count.index}"
  cores  = 2
  memory = 4096

  disc {
    label         = "vda"
    size          = 25600
    storage_grade = "sata"
  }

  reimage {
    distribution   = "bookworm"
    ssh_public_key = "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIBDEcVOF9T6JTvtpHHEpzVeRKPicDToJM8d3QYI9jjrM bench@example"
    root_password  = var.root_password
  }
}
