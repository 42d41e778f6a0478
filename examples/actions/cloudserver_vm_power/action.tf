resource "cloudserver_vm" "web" {
  name = "web1"

  disc {
    label = "vda"
    size  = 25600
  }
}

# terraform apply -invoke=action.cloudserver_vm_power.restart_web
action "cloudserver_vm_power" "restart_web" {
  config {
    virtual_machine_id = cloudserver_vm.web.id
    state              = "restart"
    shutdown_timeout   = "1m"
  }
}
