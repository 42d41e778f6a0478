resource "cloudserver_vm" "db" {
  group = "private" # addresses can be chosen only in a group on a private VLAN
  name  = "db1"

  disc {
    label = "vda"
    size  = 25600
  }

  reimage {
    distribution  = "bookworm"
    root_password = var.root_password
  }

  ips {
    ipv4 = "192.0.2.10" # the IPv6 address is allocated automatically
  }
}

variable "root_password" {
  type      = string
  sensitive = true
  ephemeral = true
}

output "addresses" {
  value = [cloudserver_vm.db.ipv4_address, cloudserver_vm.db.ipv6_address]
}
