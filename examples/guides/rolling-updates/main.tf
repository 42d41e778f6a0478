terraform {
  required_providers {
    cloudserver = {
      source  = "cloudserver/cloudserver"
      version = "~> 1.0"
    }
  }
}

provider "cloudserver" {
  max_unavailable = 1 # or CLOUDSERVER_MAX_UNAVAILABLE
}

variable "machines" {
  description = "Zone of each machine, by its name."
  type        = map(string)
  default     = { web1 = "york", web2 = "york", web3 = "manchester" }
}

resource "cloudserver_group" "web" {
  name = "web"
}

resource "cloudserver_vm" "web" {
  for_each  = var.machines
  group     = cloudserver_group.web.name
  name      = each.key
  zone_name = each.value
  cores     = var.cores

  allow_stopping_for_update = true
  autoreboot_on             = true # a plan sets it again after an update that was killed

  disc {
    label = "vda"
    size  = 25600
  }

  disc {
    label = "data"
    size  = 51200
  }

  reimage {
    distribution   = var.distribution
    ssh_public_key = file("~/.ssh/id_ed25519.pub")
    on_change      = "reimage" # the data disc, the ID and the addresses stay

    firstboot_script = <<-EOT
      #!/bin/sh
      apt-get update && apt-get install -y nginx
    EOT
  }

  ready {
    port      = var.port
    http_path = "/health"
    timeout   = "3m"
  }
}

output "backends" {
  value = [for vm in cloudserver_vm.web : "${vm.ipv4_address}:${var.port}"] # for a load balancer
}

variable "cores" {
  type    = number
  default = 1
}

variable "distribution" {
  type    = string
  default = "bookworm"
}

variable "port" {
  type    = number
  default = 8080
}
