# Discs are added, one grows, one is removed and one renamed. The removed one alone is purged, and the plan says so.

# The machine has one disc.
resource "cloudserver_vm" "web" {
  name = "web1"
  disc {
    label = "vda"
    size  = 25600
  }
}

apply {
  sees = [
    "+ cloudserver_vm.web",
  ]
  leaves = [
    "machine 1004 web1 of default: on, 1 cores, 1024 MB",
    "  disc 1005 vda: 25600 MB",
  ]
}

# It gets three more.
resource "cloudserver_vm" "web" {
  disc {
    label = "vda"
    size  = 25600
  }
  disc {
    label = "data"
    size  = 10240
  }
  disc {
    label = "logs"
    size  = 5120
  }
  disc {
    label = "tmp"
    size  = 5120
  }
}

apply {
  sees = [
    "~ cloudserver_vm.web: disc.1, disc.2, disc.3, disc_ids.data, disc_ids.logs, disc_ids.tmp",
    "warning at disc.1.label: The guest sees the change after the next power cycle",
  ]
  leaves = [
    "machine 1004 web1 of default: on, 1 cores, 1024 MB",
    "  disc 1005 vda: 25600 MB",
    "  disc 1007 data: 10240 MB",
    "  disc 1008 logs: 5120 MB",
    "  disc 1009 tmp: 5120 MB",
  ]
}

# The second of the four blocks is removed, and the third disc grows.
resource "cloudserver_vm" "web" {
  disc {
    label = "vda"
    size  = 25600
  }
  disc {
    label = "logs"
    size  = 6144
  }
  disc {
    label = "tmp"
    size  = 5120
  }
}

apply {
  sees = [
    "~ cloudserver_vm.web: disc.1.id, disc.1.label, disc.1.size, disc.2.id, disc.2.label, disc.3, disc_ids.data, last_change",
    "warning at disc: Discs of virtual machine \"web1\" will be purged: \"data\"",
    "warning at disc.1.size: The guest sees the change after the next power cycle",
  ]
  leaves = [
    "machine 1004 web1 of default: on, 1 cores, 1024 MB",
    "  disc 1005 vda: 25600 MB",
    "  disc 1008 logs: 6144 MB",
    "  disc 1009 tmp: 5120 MB",
  ]
}

# A disc cannot shrink.
resource "cloudserver_vm" "web" {
  disc {
    label = "vda"
    size  = 25600
  }
  disc {
    label = "logs"
    size  = 1024
  }
  disc {
    label = "tmp"
    size  = 5120
  }
}

plan {
  sees = [
    "error at disc.1.size: Cannot shrink disc \"logs\"",
  ]
}

# That one gets another label: it is renamed, and keeps its data.
resource "cloudserver_vm" "web" {
  disc {
    label = "vda"
    size  = 25600
  }
  disc {
    label = "archive"
    size  = 6144
  }
  disc {
    label = "tmp"
    size  = 5120
  }
}

apply {
  sees = [
    "~ cloudserver_vm.web: disc.1.label, disc_ids.archive, disc_ids.logs, last_change",
  ]
  leaves = [
    "machine 1004 web1 of default: on, 1 cores, 1024 MB",
    "  disc 1005 vda: 25600 MB",
    "  disc 1008 archive: 6144 MB",
    "  disc 1009 tmp: 5120 MB",
  ]
}

# The machine boots from its first disc, so another block cannot come first.
resource "cloudserver_vm" "web" {
  disc {
    label = "archive"
    size  = 6144
  }
  disc {
    label = "vda"
    size  = 25600
  }
  disc {
    label = "tmp"
    size  = 5120
  }
}

plan {
  sees = [
    "error at disc: Cannot change the boot disc",
  ]
}
