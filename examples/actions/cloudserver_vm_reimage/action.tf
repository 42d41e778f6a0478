variable "root_password" {
  type      = string
  sensitive = true
}

resource "cloudserver_vm" "runner" {
  name = "runner1"

  disc {
    label = "vda"
    size  = 25600
  }
}

# terraform apply -invoke=action.cloudserver_vm_reimage.clean_runner
action "cloudserver_vm_reimage" "clean_runner" {
  config {
    virtual_machine_id = cloudserver_vm.runner.id
    distribution       = "bookworm"
    root_password      = var.root_password
    firstboot_script   = "#!/bin/sh\ntouch /var/tmp/clean\n"
    allow_stopping     = true
  }
}
