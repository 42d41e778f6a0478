moved {
  from = bigv_vm.web
  to   = cloudserver_vm.web
}

resource "cloudserver_vm" "web" {
  name   = "web1"
  group  = "default"
  cores  = 2
  memory = 2048

  disc {
    label = "vda"
    size  = 25600
  }

  reimage {
    distribution  = "bookworm"
    root_password = var.root_password
  }
}

variable "root_password" {
  type      = string
  sensitive = true
  ephemeral = true
}
