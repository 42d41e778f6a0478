# A protected machine is neither replaced nor destroyed, and keeps its discs. Two applies destroy it.

# The machine is protected.
resource "cloudserver_vm" "web" {
  name                = "web1"
  deletion_protection = true
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

# Another zone needs a new machine.
resource "cloudserver_vm" "web" {
  zone_name = "manchester"
}

plan {
  sees = [
    "error at zone_name: Cannot replace virtual machine \"web1\"",
  ]
}

# A disc without a block would be purged.
resource "cloudserver_vm" "web" {
  zone_name = null
  disc {
    label = "vda"
    size  = 25600
  }
}

plan {
  sees = [
    "error at disc: Cannot purge disc \"data\" of virtual machine \"web1\"",
  ]
}

# So would the whole machine.
without "cloudserver_vm" "web" {}

plan {
  sees = [
    "error at deletion_protection: Cannot destroy virtual machine \"web1\"",
  ]
}

# The protection is taken away, alone.
resource "cloudserver_vm" "web" {
  name                = "web1"
  deletion_protection = false
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
    "~ cloudserver_vm.web: deletion_protection",
  ]
  leaves = [
    "machine 1004 web1 of default: on, 1 cores, 1024 MB",
    "  disc 1005 vda: 25600 MB",
    "  disc 1006 data: 10240 MB",
  ]
}

# Now the machine may go.
without "cloudserver_vm" "web" {}

apply {
  sees = [
    "- cloudserver_vm.web",
    "warning at disc: Destroying a machine destroys its discs and their backups",
  ]
  leaves = [
    "nothing",
  ]
}
