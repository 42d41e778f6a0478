resource "cloudserver_vm" "web" {
  name = "web1"

  disc {
    label = "vda"
    size  = 25600
  }

  reimage {
    distribution  = "bookworm"
    root_password = var.root_password
  }
}

# A resource of its own: when the commands fail, the machine is not tainted.
resource "terraform_data" "provisioned" {
  triggers_replace = [cloudserver_vm.web.id]

  connection {
    host     = cloudserver_vm.web.ipv4_address
    user     = "root"
    password = var.root_password
    timeout  = "5m" # a machine that is on may still be installing
  }

  provisioner "remote-exec" {
    inline = ["apt-get update", "apt-get install -y nginx"]
  }
}

variable "root_password" {
  type      = string
  sensitive = true
  ephemeral = true
}
