terraform {
  required_providers {
    cloudserver = { source = "registry.terraform.io/cloudserver/cloudserver" }
  }
}

provider "cloudserver" {}

resource "cloudserver_group" "web" {
  name = "front"
}

resource "cloudserver_vm" "web" {
  group_id                  = cloudserver_group.web.id
  name                      = "front1"
  cores                     = 2
  memory                    = 1024
  hardware_profile          = "virtio2013"
  zone_name                 = "york"
  allow_stopping_for_update = true

  disc {
    label         = "vda"
    size          = 25600
    storage_grade = "sata"
  }
  disc {
    label = "data"
    size  = 20480
  }
  reimage {
    distribution   = "bookworm"
    root_password  = "made-up"
    ssh_public_key = "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIAABAgMEBQYHCAkKCwwNDg8QERITFBUWFxgZGhscHR4f"
    revision       = "1"
  }
  timeouts {
    create = "15m"
  }
}

# Everything that is kept in private state.
resource "cloudserver_vm" "db" {
  group               = "private"
  name                = "db1"
  power_on            = false
  deletion_protection = false
  purge_on_destroy    = false

  disc {
    label = "vda"
    size  = 25600
  }
  reimage {
    distribution  = "bookworm"
    root_password = "made-up"
    on_change     = "reimage"
  }
  ips {
    ipv4 = "192.0.2.10"
  }
}

resource "cloudserver_vm" "image" {
  name = "image1"

  disc {
    label = "vda"
    size  = 25600
  }
  reimage {
    distribution  = "trixie"
    root_password = "made-up"
  }
}

resource "cloudserver_backup_schedule" "data" {
  virtual_machine_id = cloudserver_vm.web.id
  disc_id            = cloudserver_vm.web.disc[1].id
  start_at           = "2030-01-31 04:00:00"
  interval_seconds   = 3600
  capacity           = 3
}

resource "cloudserver_rdns" "db" {
  address  = cloudserver_vm.db.ipv4_address
  hostname = "db.example.net"
}
