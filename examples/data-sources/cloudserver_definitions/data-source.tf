data "cloudserver_definitions" "offered" {}

variable "distribution" {
  type    = string
  default = "bookworm"
}

resource "cloudserver_vm" "web" {
  name = "web1"

  disc {
    label = "vda"
    size  = 25600
  }

  reimage {
    distribution  = var.distribution
    root_password = var.root_password
  }

  lifecycle {
    precondition {
      condition     = contains(data.cloudserver_definitions.offered.distributions, var.distribution)
      error_message = "${var.distribution} is not offered. Offered are: ${join(", ", data.cloudserver_definitions.offered.distributions)}."
    }
  }
}

# A warning, long before the apply that would need it.
check "archive_storage" {
  assert {
    condition     = contains(data.cloudserver_definitions.offered.storage_grades, "archive")
    error_message = "The service does not offer the storage grade archive."
  }
}

variable "root_password" {
  type      = string
  sensitive = true
  ephemeral = true
}

output "image" {
  value = lookup(data.cloudserver_definitions.offered.distribution_descriptions, var.distribution, var.distribution)
}
