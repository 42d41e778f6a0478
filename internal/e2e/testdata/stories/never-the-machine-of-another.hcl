# A machine of somebody else is not touched, neither one that has the name nor one that has the ID.

# The configuration has a machine.
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

# Somebody was faster.
somebody "creates a machine" {
  name = "web1"
}

apply {
  sees = [
    "+ cloudserver_vm.web",
    "warning at name: The name \"web1\" is taken",
    "error at name: Cannot create virtual machine \"web1\" in group \"default\" of account \"demo\"",
  ]
  mentions = ["import {"]
  leaves = [
    "machine 1004 web1 of default: on, 1 cores, 1024 MB",
    "  disc 1005 vda: 25600 MB",
    "  disc 1006 data: 10240 MB",
  ]
}

# It was a colleague, and the machine is ours.
import {
  to = cloudserver_vm.web
  id = "demo/default/web1"
}

apply {
  sees = [
    "import cloudserver_vm.web",
    "no changes",
  ]
  leaves = [
    "machine 1004 web1 of default: on, 1 cores, 1024 MB",
    "  disc 1005 vda: 25600 MB",
    "  disc 1006 data: 10240 MB",
  ]
}

# The machine is purged. Later, another one has its ID, with another name and other discs.
somebody "purges a machine" {
  machine = "web1"
}

somebody "creates a machine" {
  id   = 1004
  name = "theirs"
}

plan {
  sees = [
    "error at id: Cannot read virtual machine \"web1\"",
  ]
  mentions = ["theirs"]
}

# Not even a destroy touches it.
without "cloudserver_vm" "web" {}

apply {
  sees = [
    "error at id: Cannot read virtual machine \"web1\"",
  ]
  leaves = [
    "machine 1004 theirs of default: on, 1 cores, 1024 MB",
    "  disc 1008 vda: 25600 MB",
    "  disc 1009 data: 10240 MB",
  ]
}
