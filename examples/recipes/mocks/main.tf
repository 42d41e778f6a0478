terraform {
  required_providers {
    cloudserver = {
      source  = "cloudserver/cloudserver"
      version = "~> 1.0"
    }
  }
}

variable "size" {
  description = "Size of the machine: small or large."
  type        = string

  validation {
    condition     = contains(["small", "large"], var.size)
    error_message = "size must be small or large."
  }
}

resource "cloudserver_vm" "web" {
  name   = "web-${var.size}"
  cores  = var.size == "large" ? 4 : 1
  memory = var.size == "large" ? 8192 : 2048

  disc {
    label = "vda"
    size  = 25600
  }
}

output "ssh" {
  value = "ssh root@${cloudserver_vm.web.hostname}"
}
