# Three machines get more memory, one after another: never are two of them down at the same time.

# At most one machine may be down.
provider "cloudserver" {
  max_unavailable = 1
}

resource "cloudserver_vm" "one" {
  name                      = "web1"
  allow_stopping_for_update = true
  disc {
    label = "vda"
    size  = 25600
  }
}

resource "cloudserver_vm" "two" {
  name                      = "web2"
  allow_stopping_for_update = true
  disc {
    label = "vda"
    size  = 25600
  }
}

resource "cloudserver_vm" "three" {
  name                      = "web3"
  allow_stopping_for_update = true
  disc {
    label = "vda"
    size  = 25600
  }
}

apply {
  sees = [
    "+ cloudserver_vm.one",
    "+ cloudserver_vm.two",
    "+ cloudserver_vm.three",
  ]
  leaves = [
    "machine 1004 web1 of default: on, 1 cores, 1024 MB",
    "  disc 1005 vda: 25600 MB",
    "machine 1007 web2 of default: on, 1 cores, 1024 MB",
    "  disc 1008 vda: 25600 MB",
    "machine 1010 web3 of default: on, 1 cores, 1024 MB",
    "  disc 1011 vda: 25600 MB",
  ]
}

# All of them get more memory.
resource "cloudserver_vm" "one" {
  memory = 2048
}

resource "cloudserver_vm" "two" {
  memory = 2048
}

resource "cloudserver_vm" "three" {
  memory = 2048
}

apply {
  sees = [
    "~ cloudserver_vm.one: effective_hardware_profile, last_change, memory",
    "~ cloudserver_vm.two: effective_hardware_profile, last_change, memory",
    "~ cloudserver_vm.three: effective_hardware_profile, last_change, memory",
    "warning at memory: The update restarts the machine: memory",
  ]
  leaves = [
    "machine 1004 web1 of default: on, 1 cores, 2048 MB",
    "  disc 1005 vda: 25600 MB",
    "machine 1007 web2 of default: on, 1 cores, 2048 MB",
    "  disc 1008 vda: 25600 MB",
    "machine 1010 web3 of default: on, 1 cores, 2048 MB",
    "  disc 1011 vda: 25600 MB",
    "most machines down at once: 1",
  ]
}
