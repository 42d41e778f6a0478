resource "cloudserver_vm" "web" {
  name = "web1"

  disc {
    label = "vda"
    size  = 25600
  }

  reimage {
    distribution     = "bookworm"
    root_password    = var.root_password
    firstboot_script = file("${path.module}/firstboot.sh")

    # A changed script installs the image again. The script itself is write-only, so Terraform cannot compare it.
    revision  = filesha256("${path.module}/firstboot.sh")
    on_change = "reimage"
  }
}

variable "root_password" {
  type      = string
  sensitive = true
  ephemeral = true
}

