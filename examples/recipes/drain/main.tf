resource "cloudserver_vm" "worker" {
  name = "worker1"

  disc {
    label = "vda"
    size  = 25600
  }

  lifecycle {
    action_trigger {
      events     = [before_destroy]
      actions    = [action.cloudserver_vm_power.drain]
      on_failure = halt # keeps the machine if it does not stop; continue destroys it all the same
    }
  }
}

action "cloudserver_vm_power" "drain" {
  config {
    virtual_machine_id  = caller.id # the machine that triggers it
    state               = "stop"
    shutdown_timeout    = "10m"  # for its work
    on_shutdown_timeout = "fail" # otherwise it would be switched off, which counts as a stop
  }
}
