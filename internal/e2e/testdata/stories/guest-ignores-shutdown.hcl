# A guest ignores the shutdown. With "fail" the machine stays on and is not changed,
# otherwise it is switched off in the end.

# A guest must never be switched off.
resource "cloudserver_vm" "web" {
  name                      = "web1"
  allow_stopping_for_update = true
  on_shutdown_timeout       = "fail"
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

# This one does not listen.
guest "ignores the shutdown" {
  machine = "web1"
}

# It would have to shut down for more memory.
resource "cloudserver_vm" "web" {
  memory = 2048
}

apply {
  sees = [
    "~ cloudserver_vm.web: effective_hardware_profile, last_change, memory",
    "warning at memory: The update restarts the machine: memory",
    "error: Cannot stop virtual machine \"web1\"",
  ]
  leaves = [
    "machine 1004 web1 of default: on, 1 cores, 1024 MB",
    "  disc 1005 vda: 25600 MB",
  ]
}

# Now it may be switched off.
resource "cloudserver_vm" "web" {
  on_shutdown_timeout = "switch_off"
}

apply {
  sees = [
    "~ cloudserver_vm.web: effective_hardware_profile, last_change, memory, on_shutdown_timeout",
    "warning at memory: The update restarts the machine: memory",
    "warning at shutdown_timeout: The guest of virtual machine \"web1\" was cut off",
  ]
  leaves = [
    "machine 1004 web1 of default: on, 1 cores, 2048 MB",
    "  disc 1005 vda: 25600 MB",
    "most machines down at once: 1",
  ]
}
