terraform {
  required_providers {
    cloudserver = {
      source  = "cloudserver/cloudserver"
      version = "~> 1.0"
    }
  }
}

provider "cloudserver" {
  max_unavailable = 1 # an update takes one machine down at a time
}

variable "machines" {
  description = "Zone of each machine, by its key."
  type        = map(string)
  default     = { a = "york", b = "york", c = "manchester" }
}

variable "image" {
  description = "A change reinstalls the image."
  type        = string
  default     = "2026-11"
}

variable "port" {
  description = "TCP port of the web server. A machine is up when it answers there."
  type        = number
  default     = 80
}

variable "root_password" {
  type      = string
  sensitive = true
  ephemeral = true
}

resource "cloudserver_group" "web" {
  name = "web"
}

resource "cloudserver_vm" "web" {
  for_each  = var.machines
  group_id  = cloudserver_group.web.id
  name      = "web-${each.key}"
  zone_name = each.value

  disc {
    label = "vda"
    size  = 25600
  }

  disc {
    label = "data"
    size  = 51200
  }

  reimage {
    distribution  = "bookworm"
    root_password = var.root_password
    revision      = var.image
    on_change     = "reimage" # the data disc, the ID and the addresses stay

    firstboot_script = <<-EOT
      #!/bin/sh
      apt-get update && apt-get install -y nginx
    EOT
  }

  ready {
    port = var.port
  }
}

resource "cloudserver_rdns" "web" {
  for_each = cloudserver_vm.web
  address  = each.value.ipv4_address
  hostname = "${each.value.name}.example.com"
}

output "backends" {
  value = [for vm in cloudserver_vm.web : "${vm.ipv4_address}:${var.port}"]
}
