terraform {
  required_providers {
    cloudserver = { source = "cloudserver/cloudserver" }
  }
}

variable "name" {
  type = string
}

variable "group_id" {
  type = string
}

resource "cloudserver_vm" "front" {
  name     = "front-${var.name}"
  group_id = var.group_id
  cores    = 1
  memory   = 1024

  disc {
    label = "vda"
    size  = 25600
  }
}

resource "cloudserver_vm" "back" {
  count    = 2
  name     = "back-${var.name}${count.index}"
  group_id = var.group_id
  cores    = 1
  memory   = 1024

  disc {
    label = "vda"
    size  = 25600
  }
}

output "address" {
  value = cloudserver_vm.front.ipv4_address
}
