data "cloudserver_definitions" "offered" {}

locals {
  # Those of ours that the service offers, our favourite first.
  distributions = [for d in ["trixie", "bookworm"] : d if contains(data.cloudserver_definitions.offered.distributions, d)]
}

resource "cloudserver_vm" "web" {
  name = "web1"

  disc {
    label = "vda"
    size  = 25600
  }

  reimage {
    # The list is empty if the service offers neither. Terraform evaluates the index even with ignore_changes.
    distribution   = try(local.distributions[0], "bookworm")
    ssh_public_key = var.ssh_public_key
  }

  lifecycle {
    ignore_changes = [reimage] # otherwise a new offer of the service would replace the machine
  }
}

variable "ssh_public_key" {
  type = string
}
