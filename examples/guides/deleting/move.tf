action "cloudserver_disc_move" "back" {
  config {
    virtual_machine_id = "1008" # which has the disc now
    disc_id            = "1006"
    to                 = cloudserver_vm.db.id
    allow_stopping     = true # both machines are off meanwhile
  }
}
