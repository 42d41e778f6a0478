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
  for_each = toset(["web1", "web2", "web3"])

  name                      = each.key
  cores                     = var.cores
  allow_stopping_for_update = true

  disc {
    label = "vda"
    size  = 25600
  }

  reimage {
    distribution  = var.distribution
    root_password = var.root_password
    on_change     = "reimage" # "replace" takes no slot
  }

  ready {
    port      = var.port
    http_path = "/health"
    timeout   = "3m"
  }
}

variable "cores" {
  type    = number
  default = 1
}

variable "distribution" {
  type    = string
  default = "bookworm"
}

variable "port" {
  type    = number
  default = 8080
}

variable "root_password" {
  type      = string
  sensitive = true
  ephemeral = true
}
