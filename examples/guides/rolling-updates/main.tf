terraform {
  required_providers {
    cloudserver = {
      source  = "cloudserver/cloudserver"
      version = "~> 1.0"
    }
  }
}

provider "cloudserver" {
  max_unavailable = 1 # or CLOUDSERVER_MAX_UNAVAILABLE
}

resource "cloudserver_vm" "web" {
  for_each = { for number in range(1, 9) : number => "web${number}" }

  name                      = each.value
  cores                     = var.cores
  allow_stopping_for_update = true

  disc {
    label = "vda"
    size  = 25600
  }

  reimage {
    distribution  = "bookworm"
    root_password = var.root_password
    revision      = "1"
    on_change     = "reimage" # "replace" takes no place
  }

  ready {
    port = var.port
  }
}

variable "cores" {
  type    = number
  default = 1
}

variable "port" {
  type    = number
  default = 22
}

variable "root_password" {
  type      = string
  sensitive = true
  ephemeral = true
}
