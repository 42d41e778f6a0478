resource "cloudserver_vm" "web" {
  name = "web1"

  disc {
    label = "vda"
    size  = var.size
  }

  lifecycle {
    action_trigger {
      events  = [after_update]
      actions = [action.cloudserver_vm_power.restart_web] # the guest sees a larger disc after a power cycle
    }
  }
}

action "cloudserver_vm_power" "restart_web" {
  config {
    virtual_machine_id = cloudserver_vm.web.id
    state              = "restart"
  }
}

variable "size" {
  type    = number
  default = 25600
}
