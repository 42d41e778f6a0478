resource "cloudserver_vm" "mail" {
  group = "private"
  name  = "mail1"

  disc {
    label = "vda"
    size  = 25600
  }

  ips {
    ipv4 = "192.0.2.25"
  }
}

resource "cloudserver_rdns" "mail" {
  address  = cloudserver_vm.mail.ipv4_address
  hostname = "mail.example.com"
}
