terraform {
  required_providers {
    cs = { source = "cloudserver/cloudserver" }
  }
}

variable "name" {
  type = string
}

module "front" {
  source = "../tier"
  name   = "${var.name}-front"

  providers = { cs = cs }
}

module "back" {
  source = "../tier"
  count  = 1
  name   = "${var.name}-back"

  providers = { cs = cs }
}

output "address" {
  value = module.front.address
}
