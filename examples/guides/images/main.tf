terraform {
  required_providers {
    cloudserver = {
      source  = "cloudserver/cloudserver"
      version = "~> 1.0"
    }
  }
}

resource "cloudserver_vm" "app" {
  name = "app1"

  disc {
    label = "vda"
    size  = 25600
  }

  reimage {
    distribution   = "bookworm"
    ssh_public_key = file("~/.ssh/id_ed25519.pub") # several keys are one a line
    root_password  = var.root_password             # write-only

    # write-only
    firstboot_script = <<-EOT
      #!/bin/sh
      install -m 600 /dev/null /etc/enrol
      echo '${var.enrolment_token}' >/etc/enrol
    EOT

    revision  = var.image_revision # change it together with a secret
    on_change = "reimage"
  }
}

variable "root_password" {
  type      = string
  sensitive = true
  ephemeral = true
}

variable "enrolment_token" {
  type      = string
  sensitive = true
  ephemeral = true
}

variable "image_revision" {
  type    = string
  default = "1"
}
