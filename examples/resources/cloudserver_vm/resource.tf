resource "cloudserver_vm" "web" {
  name = "web1"

  disc {
    label = "vda"
    size  = 25600 # megabytes
  }

  reimage {
    distribution   = "bookworm"
    ssh_public_key = file("~/.ssh/id_ed25519.pub")
  }
}

output "ssh" {
  value = "ssh root@${cloudserver_vm.web.hostname}"
}
