locals {
  machines = {
    web1 = { cores = 1, memory = 2048 }
    web2 = { cores = 1, memory = 2048 }
    db1  = { cores = 2, memory = 4096 }
  }
}

resource "cloudserver_vm" "fleet" {
  for_each = local.machines

  name   = each.key
  cores  = each.value.cores
  memory = each.value.memory

  dynamic "disc" {
    for_each = concat([{ label = "vda", size = 25600 }], startswith(each.key, "db") ? [{ label = "data", size = 51200 }] : [])
    content {
      label = disc.value.label
      size  = disc.value.size
    }
  }

  reimage {
    distribution             = "bookworm"
    root_password_wo         = var.root_password
    root_password_wo_version = 1
  }
}

variable "root_password" {
  type      = string
  sensitive = true
  ephemeral = true
}

output "addresses" {
  value = { for name, machine in cloudserver_vm.fleet : name => machine.ipv4_address }
}
