# Another zone needs another machine: the plan says that all discs are lost, also one that is in no configuration.

# The machine is in the default zone.
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

# Somebody attaches a disc.
somebody "attaches a disc" {
  machine = "web1"
  label   = "theirs"
}

# Another zone is configured.
resource "cloudserver_vm" "web" {
  zone_name = "manchester"
}

apply {
  sees = [
    "-/+ cloudserver_vm.web: zone_name",
    "warning at disc: The machine has discs that are not in the state",
    "warning at zone_name: All discs will be lost: \"vda\", \"data\", \"theirs\"",
    "warning at zone_name: The service chooses parts of the new machine's specification",
  ]
  leaves = [
    "machine 1009 web1 of default: on, 1 cores, 1024 MB",
    "  disc 1010 vda: 25600 MB",
    "  disc 1011 data: 10240 MB",
  ]
}
