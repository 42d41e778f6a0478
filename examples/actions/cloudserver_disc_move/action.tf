resource "cloudserver_vm" "old" {
  name = "old1"

  disc {
    label = "vda"
    size  = 25600
  }

  disc {
    label = "data"
    size  = 25600
  }
}

resource "cloudserver_vm" "new" {
  name = "new1"

  disc {
    label = "vda"
    size  = 25600
  }
}

# terraform apply -invoke=action.cloudserver_disc_move.data
action "cloudserver_disc_move" "data" {
  config {
    virtual_machine_id = cloudserver_vm.old.id
    disc_id            = cloudserver_vm.old.disc_ids["data"]
    to                 = cloudserver_vm.new.id
    allow_stopping     = true # both machines are off meanwhile
  }
}
