resource "cloudserver_vm" "ledger" {
  name = "ledger1"

  # Everything that would lose data is an error. To lift it, apply false first.
  deletion_protection = var.protected

  # When it is destroyed after all, it is soft-deleted, and can be undeleted for a while.
  purge_on_destroy = false

  disc {
    label = "vda"
    size  = 25600
  }
}

variable "protected" {
  type    = bool
  default = true
}
