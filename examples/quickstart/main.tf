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
  description = "Name of the machine, unique in its group."
  type        = string
  default     = "web1"
}

variable "distribution" {
  description = "Operating system."
  type        = string
  default     = "bookworm"
}

variable "root_password" {
  description = "In no plan and in no state."
  type        = string
  sensitive   = true
  ephemeral   = true
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
