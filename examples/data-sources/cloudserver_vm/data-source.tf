# A machine that another configuration manages.
data "cloudserver_vm" "db" {
  group = "private"
  name  = "db1"
}

resource "cloudserver_vm" "web" {
  name = "web1"

  disc {
    label = "vda"
    size  = 25600
  }

  reimage {
    distribution     = "bookworm"
    root_password    = var.root_password
    firstboot_script = <<-EOT
      #!/bin/sh
      echo "${data.cloudserver_vm.db.ipv4_address} db" >>/etc/hosts
    EOT
  }
}

variable "root_password" {
  type      = string
  sensitive = true
}
