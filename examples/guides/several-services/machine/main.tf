terraform {
  required_providers {
    cloudserver = {
      source = "cloudserver/cloudserver"
    }
  }
}

variable "name" {
  description = "Name of the machine."
  type        = string
}

resource "cloudserver_vm" "this" {
  name = var.name

  disc {
    label = "vda"
    size  = 25600
  }
}
