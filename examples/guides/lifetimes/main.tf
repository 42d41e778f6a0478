variable "machine" {
  type    = bool
  default = true
}

variable "purge" {
  type    = bool
  default = true
}

resource "cloudserver_group" "web" {
  name = "lifetimes"
}

resource "cloudserver_vm" "web" {
  count    = var.machine ? 1 : 0
  group_id = cloudserver_group.web.id
  name     = "web1"

  purge_on_destroy = var.purge

  disc {
    label = "vda"
    size  = 25600
  }
}

resource "cloudserver_backup_schedule" "weekly" {
  count              = var.machine ? 1 : 0
  virtual_machine_id = cloudserver_vm.web[0].id
  disc_id            = cloudserver_vm.web[0].disc[0].id
  start_at           = "2027-01-03 04:00:00"
  interval_seconds   = 7 * 24 * 60 * 60
}

resource "cloudserver_rdns" "web" {
  count    = var.machine ? 1 : 0
  address  = cloudserver_vm.web[0].ipv4_address
  hostname = "web1.example.com"
}
