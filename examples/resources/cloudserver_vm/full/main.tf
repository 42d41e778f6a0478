resource "cloudserver_vm" "db" {
  name             = "db1"
  group            = "default"
  zone_name        = "york"
  cores            = 2
  memory           = provider::cloudserver::megabytes("4GiB") # or 4096
  hardware_profile = "virtio2013"

  allow_stopping_for_update = true # a change of these three may restart the machine

  disc {
    label         = "vda" # the first disc is the boot disc
    size          = provider::cloudserver::megabytes("25GiB")
    storage_grade = "ssd"
  }

  disc {
    label         = "data"
    size          = provider::cloudserver::megabytes("100GiB")
    storage_grade = "archive"
  }

  reimage {
    distribution     = "bookworm"
    ssh_public_key   = join("\n", var.ssh_public_keys) # several keys are one a line
    firstboot_script = file("${path.module}/firstboot.sh")
    revision         = filesha256("${path.module}/firstboot.sh") # a changed script installs the image again
    on_change        = "reimage"                                 # on the same machine
  }

  ready {
    port = 22 # the apply ends when it accepts connections
  }

  timeouts {
    create = "30m"
  }
}

variable "ssh_public_keys" {
  type = list(string)
}
