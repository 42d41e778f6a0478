locals {
  machines = {
    a = { name = "db1", role = "db" }
    b = { name = "web1", role = "web" }
    c = { name = "web2", role = "web" }
  }
}

resource "cloudserver_vm" "fleet" {
  for_each = local.machines

  name = each.value.name

  disc {
    label = "vda"
    size  = 25600
  }
}

# terraform output -raw inventory >inventory.yml
output "inventory" {
  value = yamlencode({
    for role in distinct(values(local.machines)[*].role) : role => {
      hosts = { for key, machine in local.machines : machine.name => {
        ansible_host = cloudserver_vm.fleet[key].ipv4_address
        ansible_user = "root"
      } if machine.role == role }
    }
  })
}
