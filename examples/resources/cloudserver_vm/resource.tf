resource "cloudserver_vm" "web" {
  name   = "web1"
  cores  = 2
  memory = 4096 # megabytes

  disc {
    label         = "vda" # the first disc is the boot disc
    size          = 25600 # megabytes
    storage_grade = "ssd"
  }

  disc {
    label         = "data"
    size          = 102400
    storage_grade = "archive"
  }

  reimage {
    distribution   = "bookworm"
    root_password  = var.root_password # write-only: in no plan and in no state
    ssh_public_key = var.ssh_public_key
  }

  timeouts {
    create = "30m"
  }
}

variable "root_password" {
  type      = string
  sensitive = true
  ephemeral = true
}

variable "ssh_public_key" {
  type    = string
  default = null
}

output "ssh" {
  value = "ssh root@${cloudserver_vm.web.hostname}"
}
