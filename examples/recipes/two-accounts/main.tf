provider "cloudserver" {
  alias   = "backup"
  account = "backup" # which the same credentials can see
}

resource "cloudserver_vm" "vault" {
  provider = cloudserver.backup
  name     = "vault1"

  disc {
    label = "vda"
    size  = 25600
  }
}
