data "cloudserver_vm" "mail" {
  group = "private"
  name  = "mail1"
}

resource "cloudserver_rdns" "mail" {
  address  = data.cloudserver_vm.mail.ipv4_address
  hostname = "mail.example.com"
}
