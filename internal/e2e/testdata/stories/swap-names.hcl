# Two machines swap their names in one apply. Each keeps its disc.

# The blue machine is live, the green one comes next.
resource "cloudserver_vm" "blue" {
  name = "live"
  disc {
    label = "vda"
    size  = 25600
  }
}

resource "cloudserver_vm" "green" {
  name = "next"
  disc {
    label = "vda"
    size  = 30000
  }
}

apply {
  sees = [
    "+ cloudserver_vm.blue",
    "+ cloudserver_vm.green",
  ]
  leaves = [
    "machine 1004 live of default: on, 1 cores, 1024 MB",
    "  disc 1005 vda: 25600 MB",
    "machine 1007 next of default: on, 1 cores, 1024 MB",
    "  disc 1008 vda: 30000 MB",
  ]
}

# Now the green one is to be live.
resource "cloudserver_vm" "blue" {
  name = "next"
}

resource "cloudserver_vm" "green" {
  name = "live"
}

apply {
  sees = [
    "~ cloudserver_vm.blue: hostname, name",
    "~ cloudserver_vm.green: hostname, name",
    "warning at name: The name of the machine is taken",
  ]
  leaves = [
    "machine 1004 next of default: on, 1 cores, 1024 MB",
    "  disc 1005 vda: 25600 MB",
    "machine 1007 live of default: on, 1 cores, 1024 MB",
    "  disc 1008 vda: 30000 MB",
  ]
}

# That was all.
plan {
  sees = [
    "no changes",
  ]
}
