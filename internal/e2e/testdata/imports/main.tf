terraform {
  required_providers {
    cloudserver = { source = "cloudserver/cloudserver" }
  }
}

provider "cloudserver" {
  account = "demo"
  group   = "default"
}

# Another account, with its own credentials, and without plan checks.
provider "cloudserver" {
  alias       = "other"
  account     = "other"
  token       = var.other_token
  plan_checks = false
}

variable "other_token" {
  type = string
}

# terraform.tfvars.json
variable "cores" {
  type = number
}

# terraform.tfvars: the empty text, which coalesce skips
variable "late" {
  type = string
}

# domain.auto.tfvars
variable "domain" {
  type = string
}

# sizes.auto.tfvars.json
variable "sizes" {
  type = map(number)
}

# -var-file
variable "names" {
  type = set(string)
}

# TF_CLI_ARGS_plan
variable "tiers" {
  type = set(string)
}

# TF_VAR_memory
variable "memory" {
  type     = number
  nullable = false
}

variable "shared" {
  type = string
}

data "terraform_remote_state" "shared" {
  backend = "http"
  config  = { address = var.shared }
}

locals {
  env    = terraform.workspace
  prefix = templatefile("${path.module}/prefix.tftpl", { env = local.env })
  nodes  = merge([for name in fileset(path.module, "nodes*.yaml") : yamldecode(file("${path.module}/${name}"))]...)
}

resource "cloudserver_group" "web" {
  name = "${local.env}-web"
}

resource "cloudserver_group" "more" {
  for_each = var.names
  name     = "${local.env}-${each.key}"
}

# By the provider block of the module itself.
module "alone" {
  source = "./modules/own"
  name   = "${local.env}-${data.terraform_remote_state.shared.outputs.name}"
  cores  = var.cores
  memory = var.memory
  token  = var.other_token
}

resource "cloudserver_vm" "counted" {
  count  = 2
  name   = format("%s-%02d", local.prefix, count.index + 1)
  group  = cloudserver_group.web.name
  cores  = var.cores
  memory = var.memory

  disc {
    label = "vda"
    size  = 25600
  }
}

resource "cloudserver_vm" "keyed" {
  for_each = var.sizes
  name     = "node-${each.key}"
  group_id = cloudserver_group.more["blue"].id
  cores    = var.cores
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

resource "cloudserver_vm" "node" {
  for_each = local.nodes
  name     = "${local.env}-${each.key}"
  cores    = var.cores
  memory   = each.value.memory

  dynamic "disc" {
    for_each = each.value.discs
    content {
      label = disc.key
      size  = disc.value
    }
  }
}

# The data source is read when the group is known to exist.
data "cloudserver_group" "green" {
  name       = "${local.env}-green"
  depends_on = [cloudserver_group.more]
}

resource "cloudserver_vm" "late" {
  name     = coalesce(var.late, "late")
  group_id = data.cloudserver_group.green.id
  cores    = var.cores
  memory   = var.memory

  disc {
    label = "vda"
    size  = 25600
  }
}

resource "cloudserver_backup_schedule" "keyed" {
  for_each = cloudserver_vm.keyed

  virtual_machine_id = each.value.id
  disc_id            = one([for d in each.value.disc : d.id if d.label == "data"])
  start_at           = "2030-01-06T05:00:00+01:00"
  interval_seconds   = 604800
}

# Keys that are known only when the machine exists.
resource "cloudserver_backup_schedule" "each" {
  for_each = toset(cloudserver_vm.node["a"].disc[*].id)

  virtual_machine_id = cloudserver_vm.node["a"].id
  disc_id            = each.key
  start_at           = "2030-01-06 05:00:00 UTC"
  interval_seconds   = 86400
}

module "stack" {
  source    = "./modules/stack"
  for_each  = var.tiers
  name      = "${local.env}-${each.key}"
  providers = { cs = cloudserver.other }
}

resource "cloudserver_rdns" "alone" {
  provider = cloudserver.other
  address  = module.alone.address
  hostname = "${local.env}.${var.domain}"
}

resource "cloudserver_rdns" "stack" {
  provider = cloudserver.other
  address  = module.stack["x"].address
  hostname = "${local.env}-x.example.com"
}
