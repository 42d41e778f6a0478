provider "cloudserver" {}

resource "cloudserver_vm" "one" {
  count  = var.n
  name   = count.index == 0 ? var.first : "web${count.index}"
  cores  = var.cores
  memory = 4096

  allow_stopping_for_update = true

  disc {
    label         = "vda"
    size          = 25600
    storage_grade = "sata"
  }

  reimage {
    distribution   = "bookworm"
    ssh_public_key = "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIBDEcVOF9T6JTvtpHHEpzVeRKPicDToJM8d3QYI9jjrM bench@example"
  }
}
