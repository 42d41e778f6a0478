terraform {
  required_providers {
    cloudserver = {
      source  = "cloudserver/cloudserver"
      version = "~> 1.0"
    }
  }
}

provider "cloudserver" {
  max_unavailable = 1
}

resource "cloudserver_group" "web" {
  name = "web"
}

resource "cloudserver_vm" "web" {
  for_each = { web1 = "york", web2 = "york", web3 = "manchester" }
  group    = cloudserver_group.web.name
  name     = each.key

  zone_name                 = each.value
  cores                     = var.cores
  allow_stopping_for_update = true

  disc {
    label = "vda"
    size  = 25600
  }

  reimage {
    distribution   = var.distribution
    ssh_public_key = file("~/.ssh/id_ed25519.pub")
    revision       = "1" # change it to run another script
    on_change      = "reimage"

    firstboot_script = <<-EOT
      #!/bin/sh
      apt-get update && apt-get install -y nginx
    EOT
  }

  ready {
    port      = 8080
    http_path = "/health"
    timeout   = "3m"
  }
}

variable "cores" {
  type    = number
  default = 1
}

variable "distribution" {
  type    = string
  default = "bookworm"
}
