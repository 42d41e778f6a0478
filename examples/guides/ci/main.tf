terraform {
  required_version = ">= 1.11"

  required_providers {
    cloudserver = {
      source  = "cloudserver/cloudserver"
      version = "~> 1.0"
    }
  }

  # backend "…" {} # where the state is kept, with locking
}

provider "cloudserver" {
  account = "demo"
}

resource "cloudserver_vm" "web" {
  name = "web1"

  disc {
    label = "vda"
    size  = 25600
  }
}
