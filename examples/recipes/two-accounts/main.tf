terraform {
  required_providers {
    cloudserver = {
      source  = "cloudserver/cloudserver"
      version = "~> 1.0"
    }
  }
}

# The same credentials, and another account that they can see.
provider "cloudserver" {
  account = "demo"
}

provider "cloudserver" {
  alias   = "backup"
  account = "backup"
}

resource "cloudserver_vm" "web" {
  name = "web1"

  disc {
    label = "vda"
    size  = 25600
  }
}

resource "cloudserver_vm" "vault" {
  provider = cloudserver.backup
  name     = "vault1"

  disc {
    label         = "vda"
    size          = 102400
    storage_grade = "archive"
  }
}
