terraform {
  required_version = ">= 1.11"

  required_providers {
    cloudserver = {
      source  = "cloudserver/cloudserver"
      version = "~> 1.0"
    }
  }
}

variable "name" {
  type    = string
  default = "db1"
}

variable "group" {
  type    = string
  default = null
}

variable "data_size" {
  description = "Size of the data disc in megabytes."
  type        = number
  default     = 51200

  validation {
    condition     = var.data_size >= 10240
    error_message = "The data disc needs 10240 megabytes or more."
  }
}

variable "root_password" {
  type      = string
  sensitive = true
  ephemeral = true
}

resource "cloudserver_vm" "db" {
  name  = var.name
  group = var.group

  disc {
    label         = "vda"
    size          = 25600
    storage_grade = "ssd"
  }

  disc {
    label = "data"
    size  = var.data_size
  }

  reimage {
    distribution  = "bookworm"
    root_password = var.root_password
  }
}

output "id" {
  value = cloudserver_vm.db.id
}

output "hostname" {
  value = cloudserver_vm.db.hostname
}
