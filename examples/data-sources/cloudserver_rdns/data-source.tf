resource "cloudserver_vm" "mail" {
  name = "mail1"

  disc {
    label = "vda"
    size  = 25600
  }
}

data "cloudserver_rdns" "mail" {
  address = cloudserver_vm.mail.ipv4_address
}

output "reverse_name" {
  value = data.cloudserver_rdns.mail.hostname
}
