# Somebody grows, removes and moves discs. The plan says what it finds, and nothing is purged.

# Two machines have two discs each.
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
  disc {
    label = "logs"
    size  = 5120
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
    "  disc 1010 logs: 5120 MB",
  ]
}

# One disc is grown. The plan offers the line to write.
somebody "grows a disc" {
  machine = "web1"
  label   = "data"
}

plan {
  sees = [
    "~ cloudserver_vm.web: disc.1.size",
    "warning at disc.1.size: Disc \"data\" of virtual machine \"web1\" was grown",
  ]
  mentions = ["20480"]
}

resource "cloudserver_vm" "web" {
  disc {
    label = "vda"
    size  = 25600
  }
  disc {
    label = "data"
    size  = 20480
  }
}

plan {
  sees = [
    "no changes",
  ]
}

# Another one is removed. Its block adds an empty one.
somebody "removes a disc" {
  machine = "other"
  label   = "logs"
}

apply {
  sees = [
    "~ cloudserver_vm.other: disc.1, disc_ids.logs",
    "warning at disc: A disc of virtual machine \"other\" is gone: \"logs\"",
  ]
  leaves = [
    "machine 1004 web1 of default: off, 1 cores, 1024 MB",
    "  disc 1005 vda: 25600 MB",
    "  disc 1006 data: 20480 MB",
    "machine 1008 other of default: off, 1 cores, 1024 MB",
    "  disc 1009 vda: 25600 MB",
    "  disc 1012 logs: 5120 MB",
  ]
}

# A disc is moved to the other machine. Its block would add an empty one.
somebody "moves a disc" {
  machine = "web1"
  label   = "data"
  to      = "other"
}

plan {
  sees = [
    "~ cloudserver_vm.web: disc.1, disc_ids.data",
    "warning at disc: A disc of virtual machine \"web1\" is gone: \"data\"",
    "warning at disc: Unmanaged discs: \"data\"",
  ]
  mentions = ["other"]
}

# The block follows it.
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
    label = "logs"
    size  = 5120
  }
  disc {
    label = "data"
    size  = 20480
  }
}

apply {
  sees = [
    "~ cloudserver_vm.other: disc.2, disc_ids.data",
    "warning at disc: A disc of virtual machine \"web1\" is gone: \"data\"",
    "warning at disc: Unmanaged discs: \"data\"",
    "warning at disc: Discs of the machine are managed from now on: \"data\"",
  ]
  leaves = [
    "machine 1004 web1 of default: off, 1 cores, 1024 MB",
    "  disc 1005 vda: 25600 MB",
    "machine 1008 other of default: off, 1 cores, 1024 MB",
    "  disc 1009 vda: 25600 MB",
    "  disc 1012 logs: 5120 MB",
    "  disc 1006 data: 20480 MB",
  ]
}

# That was all.
plan {
  sees = [
    "no changes",
  ]
}
