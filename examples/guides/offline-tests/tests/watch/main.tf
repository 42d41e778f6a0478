# Looks at a machine, as a module that watches it would.
terraform {
  required_providers {
    cloudserver = {
      source  = "cloudserver/cloudserver"
      version = "~> 1.0"
    }
  }
}

variable "id" {
  type = string
}

check "is_on" {
  data "cloudserver_vm" "this" {
    id = var.id
  }

  assert {
    condition     = data.cloudserver_vm.this.power_on
    error_message = "Machine ${var.id} is off."
  }
}
