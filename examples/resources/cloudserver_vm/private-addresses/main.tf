resource "cloudserver_vm" "db" {
  group = "private" # a group on a private VLAN: only there can addresses be chosen
  name  = "db1"

  disc {
    label = "vda"
    size  = 25600
  }

  reimage {
    distribution             = "bookworm"
    root_password_wo         = var.root_password
    root_password_wo_version = 1
  }

  ips {
    ipv4 = "192.0.2.10" # the IPv6 address, not given here, is allocated
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
