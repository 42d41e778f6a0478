locals {
  roles = {
    db  = ["db1"]
    web = ["web1", "web2"]
  }
}

resource "cloudserver_vm" "fleet" {
  for_each = toset(flatten(values(local.roles)))

  name = each.key

  disc {
    label = "vda"
    size  = 25600
  }
}

# terraform output -raw inventory >inventory.yml
output "inventory" {
  value = yamlencode({
    for role, names in local.roles : role => {
      hosts = { for name in names : name => {
        ansible_host = cloudserver_vm.fleet[name].ipv4_address
        ansible_user = "root"
      } }
    }
  })
}
