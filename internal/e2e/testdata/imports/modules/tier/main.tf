terraform {
  required_providers {
    cs = { source = "cloudserver/cloudserver" }
  }
}

variable "name" {
  type = string
}

resource "cloudserver_vm" "node" {
  provider = cs

  name   = var.name
  cores  = 1
  memory = 1024

  disc {
    label = "vda"
    size  = 25600
  }
}

output "address" {
  value = cloudserver_vm.node.ipv4_address
}
