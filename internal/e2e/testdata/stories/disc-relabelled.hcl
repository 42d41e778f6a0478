# A disc gets another label: it is renamed, and keeps its data.

# The machine has two discs.
resource "cloudserver_vm" "web" {
  name = "web1"
  disc {
    label = "vda"
    size  = 25600
  }
  disc {
    label = "data"
    size  = 10240
  }
}

apply {
  sees = [
    "+ cloudserver_vm.web",
  ]
  leaves = [
    "machine 1004 web1 of default: on, 1 cores, 1024 MB",
    "  disc 1005 vda: 25600 MB",
    "  disc 1006 data: 10240 MB",
  ]
}

# The second one gets another label.
resource "cloudserver_vm" "web" {
  disc {
    label = "vda"
    size  = 25600
  }
  disc {
    label = "archive"
    size  = 10240
  }
}

apply {
  sees = [
    "~ cloudserver_vm.web: disc.1.label, disc_ids.archive, disc_ids.data",
  ]
  leaves = [
    "machine 1004 web1 of default: on, 1 cores, 1024 MB",
    "  disc 1005 vda: 25600 MB",
    "  disc 1006 archive: 10240 MB",
  ]
}

# The machine boots from its first disc, so another block cannot come first.
resource "cloudserver_vm" "web" {
  disc {
    label = "archive"
    size  = 10240
  }
  disc {
    label = "vda"
    size  = 25600
  }
}

plan {
  sees = [
    "error at disc: Cannot change the boot disc",
  ]
}
