# A machine is imported by its name. A disc without a block is left alone, and is not purged.

# There is a machine with two discs.
somebody "creates a machine" {
  name = "web1"
}

# The configuration has one of them.
resource "cloudserver_vm" "web" {
  name = "web1"
  disc {
    label = "vda"
    size  = 25600
  }
}

import {
  to = cloudserver_vm.web
  id = "demo/default/web1"
}

apply {
  sees = [
    "import cloudserver_vm.web",
    "~ cloudserver_vm.web: disc.1, disc_ids.data",
    "warning at disc: Discs of the machine are left alone",
  ]
  leaves = [
    "machine 1004 web1 of default: on, 1 cores, 1024 MB",
    "  disc 1005 vda: 25600 MB",
    "  disc 1006 data: 10240 MB",
  ]
}

# It stays so.
plan {
  sees = [
    "no changes",
    "warning at disc: The machine has discs that are not in the state",
  ]
}

# Other changes leave the disc alone.
resource "cloudserver_vm" "web" {
  name   = "app1"
  keymap = "de"
}

apply {
  sees = [
    "~ cloudserver_vm.web: hostname, keymap, name",
    "warning at disc: The machine has discs that are not in the state",
  ]
  leaves = [
    "machine 1004 app1 of default: on, 1 cores, 1024 MB",
    "  disc 1005 vda: 25600 MB",
    "  disc 1006 data: 10240 MB",
  ]
}

# A block with its label manages it.
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
    "~ cloudserver_vm.web: disc.1, disc_ids.data",
    "warning at disc: Discs of the machine are managed from now on",
  ]
  leaves = [
    "machine 1004 app1 of default: on, 1 cores, 1024 MB",
    "  disc 1005 vda: 25600 MB",
    "  disc 1006 data: 10240 MB",
  ]
}
