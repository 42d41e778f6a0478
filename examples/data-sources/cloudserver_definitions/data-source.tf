data "cloudserver_definitions" "offered" {}

resource "cloudserver_vm" "web" {
  name = "web1"

  disc {
    label = "vda"
    size  = 25600
  }

  reimage {
    # the first of these that the service offers
    distribution   = [for d in ["trixie", "bookworm"] : d if contains(data.cloudserver_definitions.offered.distributions, d)][0]
    ssh_public_key = var.ssh_public_key
  }
}

variable "ssh_public_key" {
  type = string
}

output "grades" {
  value = data.cloudserver_definitions.offered.storage_grade_descriptions
}
