resource "cloudserver_vm" "web" {
  name = "web1"

  disc {
    label = "vda"
    size  = 25600
  }

  reimage {
    distribution  = "bookworm"
    root_password = var.root_password
    firstboot_script = templatefile("${path.module}/firstboot.sh.tftpl", {
      cloud_config = file("${path.module}/cloud-config.yaml")
    })
  }
}

variable "root_password" {
  type      = string
  sensitive = true
  ephemeral = true
}
