terraform {
  required_version = ">= 1.11"

  backend "s3" { # or another one with locking
    bucket       = "terraform-state"
    key          = "production.tfstate"
    region       = "eu-central-1"
    use_lockfile = true
  }

  required_providers {
    cloudserver = {
      source  = "cloudserver/cloudserver"
      version = "~> 1.0"
    }
  }
}

provider "cloudserver" {
  account = "demo" # no endpoint: a change of it would send the key elsewhere
}

variable "root_password" {
  type      = string
  ephemeral = true
}

resource "cloudserver_vm" "web" {
  name          = "web1"
  autoreboot_on = true # a plan sets it again, whoever or whatever left it false

  disc {
    label = "vda"
    size  = 25600
  }

  reimage {
    distribution  = "bookworm"
    root_password = var.root_password
  }
}
