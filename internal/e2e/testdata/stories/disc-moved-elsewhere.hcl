# Somebody moves a disc to another machine. No empty disc takes its place, and nothing is purged.

# One machine has a disc for data.
resource "cloudserver_vm" "web" {
  name     = "web1"
  power_on = false
  disc {
    label = "vda"
    size  = 25600
  }
  disc {
    label = "data"
    size  = 10240
  }
}

resource "cloudserver_vm" "other" {
  name     = "other"
  power_on = false
  disc {
    label = "vda"
    size  = 25600
  }
}

apply {
  sees = [
    "+ cloudserver_vm.web",
    "+ cloudserver_vm.other",
  ]
  leaves = [
    "machine 1004 web1 of default: off, 1 cores, 1024 MB",
    "  disc 1005 vda: 25600 MB",
    "  disc 1006 data: 10240 MB",
    "machine 1008 other of default: off, 1 cores, 1024 MB",
    "  disc 1009 vda: 25600 MB",
  ]
}

# Somebody moves it to the other one.
somebody "moves a disc" {
  machine = "web1"
  label   = "data"
  to      = "other"
}

plan {
  sees = [
    "error at disc.1.label: Disc \"data\" is on another machine",
    "warning at disc: The machine has discs that are not in the state",
  ]
}

# The block follows the disc.
resource "cloudserver_vm" "web" {
  disc {
    label = "vda"
    size  = 25600
  }
}

resource "cloudserver_vm" "other" {
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
    "~ cloudserver_vm.web: disc.1, disc_ids.data",
    "~ cloudserver_vm.other: disc.1, disc_ids.data",
    "warning at disc: Discs of the machine leave the state",
    "warning at disc: Discs of the machine are managed from now on",
  ]
  leaves = [
    "machine 1004 web1 of default: off, 1 cores, 1024 MB",
    "  disc 1005 vda: 25600 MB",
    "machine 1008 other of default: off, 1 cores, 1024 MB",
    "  disc 1009 vda: 25600 MB",
    "  disc 1006 data: 10240 MB",
  ]
}

# That was all.
plan {
  sees = [
    "no changes",
  ]
}
