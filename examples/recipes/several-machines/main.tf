locals {
  machines = {
    a = { name = "web1", cores = 1, memory = 2048, data = null }
    b = { name = "web2", cores = 1, memory = 2048, data = null }
    c = { name = "db1", cores = 2, memory = 4096, data = 51200 }
  }
}

resource "cloudserver_vm" "fleet" {
  for_each = local.machines

  name   = each.value.name
  cores  = each.value.cores
  memory = each.value.memory

  disc {
    label = "vda"
    size  = 25600
  }

  dynamic "disc" {
    for_each = each.value.data[*] # no disc where it is null
    content {
      label = "data"
      size  = disc.value
    }
  }

  reimage {
    distribution  = "bookworm"
    root_password = var.root_password
  }
}

variable "root_password" {
  type      = string
  sensitive = true
  ephemeral = true
}

output "addresses" {
  value = { for machine in cloudserver_vm.fleet : machine.name => machine.ipv4_address }
}
