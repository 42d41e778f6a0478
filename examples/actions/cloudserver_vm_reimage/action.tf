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
    ssh_public_key     = file("~/.ssh/id_ed25519.pub")
    allow_stopping     = true
  }
}
