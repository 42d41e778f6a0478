terraform {
  backend "local" { # for a team: s3, or another one that locks
    path = "../states/shop.tfstate"
  }

  required_providers {
    cloudserver = {
      source  = "cloudserver/cloudserver"
      version = "~> 1.0"
    }
  }
}

resource "cloudserver_group" "own" {
  name = "shop"
}

resource "cloudserver_vm" "web" {
  group = cloudserver_group.own.name
  name  = "web1"

  disc {
    label = "vda"
    size  = 25600
  }
}
