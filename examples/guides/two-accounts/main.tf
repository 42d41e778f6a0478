terraform {
  required_providers {
    cloudserver = {
      source  = "cloudserver/cloudserver"
      version = "~> 1.0"
    }
  }
}

# CLOUDSERVER_ENDPOINT names the emulator. The keys are its own, and public.
provider "cloudserver" {
  account = "demo"
  token   = "apikey.demo"
}

provider "cloudserver" {
  alias   = "acme"
  account = "acme"
  token   = "apikey.acme"
}

resource "cloudserver_vm" "ours" {
  name = "web1"

  disc {
    label = "vda"
    size  = 25600
  }
}

resource "cloudserver_vm" "theirs" {
  provider = cloudserver.acme
  name     = "web1"

  disc {
    label = "vda"
    size  = 25600
  }
}

output "hostnames" {
  value = [cloudserver_vm.ours.hostname, cloudserver_vm.theirs.hostname]
}
