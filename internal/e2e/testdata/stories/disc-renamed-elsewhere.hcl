# A disc was renamed elsewhere, and another block is removed: that one alone is purged.
# Renaming one and removing another takes two applies.

# The machine has three discs.
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
  disc {
    label = "logs"
    size  = 5120
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
    "  disc 1007 logs: 5120 MB",
  ]
}

# Somebody renames one of them.
somebody "renames a disc" {
  machine = "web1"
  label   = "data"
  to      = "archive"
}

# The other block is removed.
resource "cloudserver_vm" "web" {
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
    "~ cloudserver_vm.web: disc.2, disc_ids.logs, last_change",
    "warning at disc: Discs of virtual machine \"web1\" will be purged: \"logs\"",
  ]
  leaves = [
    "machine 1004 web1 of default: on, 1 cores, 1024 MB",
    "  disc 1005 vda: 25600 MB",
    "  disc 1006 archive: 10240 MB",
  ]
}

# The machine gets a third disc again.
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
}

apply {
  sees = [
    "~ cloudserver_vm.web: disc.2, disc_ids.logs, last_change",
    "warning at disc.2.label: The guest sees the change after the next power cycle",
  ]
  leaves = [
    "machine 1004 web1 of default: on, 1 cores, 1024 MB",
    "  disc 1005 vda: 25600 MB",
    "  disc 1006 archive: 10240 MB",
    "  disc 1009 logs: 5120 MB",
  ]
}

# One block is renamed and another one is removed. Which disc is meant could be mistaken, so that takes two applies.
resource "cloudserver_vm" "web" {
  disc {
    label = "vda"
    size  = 25600
  }
  disc {
    label = "store"
    size  = 10240
  }
}

apply {
  sees = [
    "error at disc.1.label: Cannot tell whether disc \"data\" of virtual machine \"web1\" is renamed or purged",
  ]
  leaves = [
    "machine 1004 web1 of default: on, 1 cores, 1024 MB",
    "  disc 1005 vda: 25600 MB",
    "  disc 1006 archive: 10240 MB",
    "  disc 1009 logs: 5120 MB",
  ]
}
