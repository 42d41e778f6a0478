terraform {
  required_providers {
    cloudserver = { source = "cloudserver/cloudserver" }
  }
}

variable "name" {
  type = string
}

variable "cores" {
  type = number
}

variable "memory" {
  type = number
}

variable "token" {
  type = string
}

provider "cloudserver" {
  account = "other"
  group   = "default"
  token   = var.token
}

resource "cloudserver_vm" "alone" {
  name                = var.name
  deletion_protection = true
  cores               = var.cores
  memory              = var.memory

  disc {
    label = "vda"
    size  = 25600
  }
  timeouts { create = "30m" }
}

output "address" {
  value = cloudserver_vm.alone.ipv4_address
}
