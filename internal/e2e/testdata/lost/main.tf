terraform {
  required_providers {
    cloudserver = { source = "cloudserver/cloudserver" }
  }
}

provider "cloudserver" {
  account = "demo"
  group   = "default"
}

variable "sizes" {
  type    = map(number)
  default = { small = 2048, large = 4096 }
}

variable "names" {
  type = set(string)
}

locals {
  prefix = "app"
  nodes  = [for n in range(2) : format("%s-%02d", local.prefix, n + 1)]
}

resource "cloudserver_group" "web" {
  name = "web"
}

resource "cloudserver_group" "more" {
  for_each = var.names
  name     = each.key
}

# By the provider's group.
resource "cloudserver_vm" "alone" {
  name                = "alone"
  deletion_protection = true
  cores               = 1
  memory              = 1024

  disc {
    label = "vda"
    size  = 25600
  }
  timeouts { create = "30m" }
}

resource "cloudserver_vm" "counted" {
  count  = length(local.nodes)
  name   = local.nodes[count.index]
  group  = cloudserver_group.web.name
  cores  = 1
  memory = 1024

  disc {
    label = "vda"
    size  = 25600
  }
}

resource "cloudserver_vm" "keyed" {
  for_each = var.sizes
  name     = "node-${each.key}"
  group_id = cloudserver_group.more["blue"].id
  cores    = 1
  memory   = each.value

  disc {
    label = "vda"
    size  = 25600
  }
  disc {
    label = "data"
    size  = 51200
  }
}

resource "cloudserver_backup_schedule" "keyed" {
  for_each = cloudserver_vm.keyed

  virtual_machine_id = each.value.id
  disc_id            = one([for d in each.value.disc : d.id if d.label == "data"])
  start_at           = "2030-01-06T05:00:00+01:00"
  interval_seconds   = 604800
}

module "tier" {
  source   = "./modules/tier"
  for_each = toset(["x", "y"])
  group_id = cloudserver_group.web.id
  name     = each.key
}

resource "cloudserver_rdns" "tier" {
  address  = module.tier["x"].address
  hostname = "x.example.com"
}
