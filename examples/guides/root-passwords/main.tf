variable "root_password" {
  description = "Given as TF_VAR_root_password, from a secret store."
  type        = string
  sensitive   = true
  ephemeral   = true
}

variable "enrolment_token" {
  description = "Given as TF_VAR_enrolment_token: what the machine signs in with at its first boot."
  type        = string
  sensitive   = true
  ephemeral   = true
}

variable "image_revision" {
  description = "Change it together with a secret, to install the image with the new one."
  type        = string
  default     = "1"
}

resource "cloudserver_vm" "app" {
  name = "app1"

  disc {
    label = "vda"
    size  = 25600
  }

  reimage {
    distribution  = "bookworm"
    root_password = var.root_password # write-only

    # write-only
    firstboot_script = <<-EOT
      #!/bin/sh
      install -m 600 /dev/null /etc/enrol
      echo '${var.enrolment_token}' >/etc/enrol
    EOT

    revision  = var.image_revision
    on_change = "reimage"
  }
}
