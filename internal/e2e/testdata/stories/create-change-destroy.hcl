# A machine is created, gets more memory, and is destroyed.

# The configuration has one machine.
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

# More memory needs a restart, which has to be allowed.
resource "cloudserver_vm" "web" {
  memory = 4096
}

plan {
  sees = [
    "error at memory: Cannot change memory of virtual machine \"web1\" without a restart",
  ]
}

# It is allowed.
resource "cloudserver_vm" "web" {
  allow_stopping_for_update = true
}

apply {
  sees = [
    "~ cloudserver_vm.web: allow_stopping_for_update, effective_hardware_profile, memory",
    "warning at memory: The update restarts the machine: memory",
  ]
  leaves = [
    "machine 1004 web1 of default: on, 1 cores, 4096 MB",
    "  disc 1005 vda: 25600 MB",
  ]
}

# Nothing has changed since.
plan {
  sees = [
    "no changes",
  ]
}

# The machine is taken out of the configuration.
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
