resource "cloudserver_vm" "db" {
  group = "private"
  name  = "db1"

  disc {
    label = "vda"
    size  = 25600
  }

  ips {
    ipv4 = "192.0.2.10" # the IPv6 address is allocated automatically
  }
}
