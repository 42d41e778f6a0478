# One state of the fleet: a group, and its machines.
terraform {
  required_version = ">= 1.11"

  required_providers {
    cloudserver = {
      source  = "cloudserver/cloudserver"
      version = "~> 1.0"
    }
  }

  backend "pg" {} # a database for each state
}

provider "cloudserver" {}

variable "state" {
  type        = string
  description = "Name of the state, of its group and of its machines"
}

variable "machines" {
  type    = number
  default = 2
}

variable "ssh_public_key" {
  type = string
}

resource "cloudserver_group" "this" {
  name = var.state
}

resource "cloudserver_vm" "machine" {
  count = var.machines

  group         = cloudserver_group.this.name
  name          = "${var.state}-${count.index + 1}"
  autoreboot_on = true

  disc {
    label = "vda"
    size  = 25600
  }

  reimage {
    distribution   = "bookworm"
    ssh_public_key = var.ssh_public_key
  }
}

output "machines" {
  value = length(cloudserver_vm.machine)
}
