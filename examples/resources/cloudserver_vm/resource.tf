resource "cloudserver_vm" "web" {
  name   = "web1"
  cores  = 2
  memory = 4096 # megabytes

  allow_stopping_for_update = true # a change of cores or memory may restart the machine

  disc {
    label = "vda" # the first disc is the boot disc
    size  = 25600 # megabytes
  }

  disc {
    label         = "data"
    size          = provider::cloudserver::megabytes("100GiB") # or 102400
    storage_grade = "archive"
  }

  reimage {
    distribution   = "bookworm"
    ssh_public_key = file("~/.ssh/id_ed25519.pub")
  }
}

output "ssh" {
  value = "ssh root@${cloudserver_vm.web.hostname}"
}
