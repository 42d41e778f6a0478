resource "cloudserver_vm" "web" {
  name = "web1"

  disc {
    label = "vda"
    size  = 25600
  }
}

# terraform apply -invoke=action.cloudserver_vm_signal.log_in
action "cloudserver_vm_signal" "log_in" {
  config {
    virtual_machine_id = cloudserver_vm.web.id
    signal             = "sendkey"
    key                = "ctrl-alt-delete"
  }
}
