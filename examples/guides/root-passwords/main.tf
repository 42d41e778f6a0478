variable "root_password" {
  description = "Given as TF_VAR_root_password, from where secrets are kept."
  type        = string
  sensitive   = true
  ephemeral   = true
}

variable "root_password_version" {
  description = "Raise it together with a new root_password."
  type        = number
  default     = 1
}

variable "firstboot_token" {
  description = "Given as TF_VAR_firstboot_token: what the machine signs in with at its first boot."
  type        = string
  sensitive   = true
  ephemeral   = true
}

resource "cloudserver_vm" "app" {
  name = "app1"

  disc {
    label = "vda"
    size  = 25600
  }

  reimage {
    distribution             = "bookworm"
    root_password_wo         = var.root_password
    root_password_wo_version = var.root_password_version

    firstboot_script_wo         = <<-EOT
      #!/bin/sh
      install -m 600 /dev/null /etc/enrol
      echo '${var.firstboot_token}' >/etc/enrol
    EOT
    firstboot_script_wo_version = 1

    in_place = true
  }
}
