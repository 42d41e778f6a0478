terraform {
  required_version = ">= 1.11"

  required_providers {
    cloudserver = {
      source  = "cloudserver/cloudserver"
      version = "~> 1.0"
    }
  }
}

provider "cloudserver" {}

variable "name" {
  type    = string
  default = "web1"
}

variable "distribution" {
  type    = string
  default = "bookworm"
}

variable "root_password" {
  type      = string
  sensitive = true
  ephemeral = true # in no plan and in no state
}

resource "cloudserver_vm" "web" {
  name   = var.name
  cores  = 2
  memory = 2048 # megabytes

  disc {
    label         = "vda" # the first disc is the boot disc
    size          = 25600 # megabytes
    storage_grade = "ssd"
  }

  disc {
    label         = "vdb"
    size          = 51200
    storage_grade = "archive"
  }

  reimage {
    distribution  = var.distribution
    root_password = var.root_password
    revision      = "1" # changing it installs the image again
  }
}

output "id" {
  value = cloudserver_vm.web.id
}

output "hostname" {
  value = cloudserver_vm.web.hostname
}

output "ipv4_address" {
  value = cloudserver_vm.web.ipv4_address
}
