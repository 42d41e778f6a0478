variable "ssh_public_key" {
  description = "What is in ~/.ssh/id_ed25519.pub."
  type        = string
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
    ssh_public_key     = var.ssh_public_key
    allow_stopping     = true
  }
}
