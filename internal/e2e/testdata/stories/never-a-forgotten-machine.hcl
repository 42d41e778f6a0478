# Terraform is interrupted while a machine is created. The state has the machine, which can be kept.

# The configuration has one machine.
resource "cloudserver_vm" "web" {
  name = "web1"
  disc {
    label = "vda"
    size  = 25600
  }
}

# The machine has been created, and is not on yet.
apply {
  user "presses Ctrl-C" {
    after = "5s"
  }
  sees = [
    "+ cloudserver_vm.web",
    "error: Created virtual machine \"web1\" in group \"default\" of account \"demo\", but it is not ready",
  ]
  leaves = [
    "machine 1004 web1 of default: on, 1 cores, 1024 MB",
    "  disc 1005 vda: 25600 MB",
  ]
}

# Terraform would replace it, as it does with each creation that failed.
plan {
  sees = [
    "-/+ cloudserver_vm.web: tainted",
  ]
}

# It is as configured, so it is kept.
untaint "cloudserver_vm" "web" {}

plan {
  sees = [
    "no changes",
  ]
}

# It gets more memory, and Terraform is interrupted while the machine shuts down: it is switched on again.
resource "cloudserver_vm" "web" {
  memory                    = 2048
  allow_stopping_for_update = true
}

apply {
  user "presses Ctrl-C" {
    after = "2s"
  }
  sees = [
    "~ cloudserver_vm.web: allow_stopping_for_update, effective_hardware_profile, last_change, memory",
    "warning at memory: The update restarts the machine: memory",
    "error: Cannot stop virtual machine \"web1\"",
  ]
  leaves = [
    "machine 1004 web1 of default: on, 1 cores, 1024 MB",
    "  disc 1005 vda: 25600 MB",
    "most machines down at once: 1",
  ]
}

# The next apply does what is left.
apply {
  sees = [
    "~ cloudserver_vm.web: effective_hardware_profile, last_change, memory",
    "warning at memory: The update restarts the machine: memory",
  ]
  leaves = [
    "machine 1004 web1 of default: on, 1 cores, 2048 MB",
    "  disc 1005 vda: 25600 MB",
    "most machines down at once: 1",
  ]
}
