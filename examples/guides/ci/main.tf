terraform {
  required_version = ">= 1.11"

  # backend "…" {} # required in CI: where the state is kept, with locking

  required_providers {
    cloudserver = {
      source  = "cloudserver/cloudserver"
      version = "~> 1.0"
    }
  }
}

# No endpoint: it comes from CLOUDSERVER_ENDPOINT, where a pull request cannot change it.
provider "cloudserver" {
  account = "demo"
}

variable "root_password" {
  type      = string
  ephemeral = true
}

resource "cloudserver_vm" "web" {
  name = "web1"

  disc {
    label = "vda"
    size  = 25600
  }

  reimage {
    distribution  = "bookworm"
    root_password = var.root_password
  }
}
