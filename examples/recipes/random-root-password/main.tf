terraform {
  required_providers {
    cloudserver = {
      source  = "cloudserver/cloudserver"
      version = "~> 1.0"
    }
    random = {
      source  = "hashicorp/random"
      version = "~> 3.7"
    }
  }
}

provider "cloudserver" {
  account = "demo"
}

# Another password in each run, and in no state. The machine gets the one of the run that installs its image.
ephemeral "random_password" "root" {
  length = 24
}

resource "cloudserver_vm" "web" {
  name = "web1"

  disc {
    label = "vda"
    size  = 25600
  }

  reimage {
    distribution   = "bookworm"
    root_password  = ephemeral.random_password.root.result
    ssh_public_key = var.ssh_public_key # nobody knows the password, so log in with the key
  }
}

variable "ssh_public_key" {
  type = string
}
