# A machine that an update has stopped is on afterwards. If the service does not allow it, the next apply starts it.

# The machine is on.
resource "cloudserver_vm" "web" {
  name                      = "web1"
  allow_stopping_for_update = true
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

# The service refuses the memory after the machine was stopped.
resource "cloudserver_vm" "web" {
  memory = 2048
}

service "answers" {
  to   = "PUT /virtual_machines/1004"
  text = "memory"
  with = "400 {\"memory\": [\"is not available\"]}"
}

# The machine runs as before.
apply {
  sees = [
    "~ cloudserver_vm.web: effective_hardware_profile, last_change, memory",
    "warning at memory: The update restarts the machine: memory",
    "error at memory: Cannot update virtual machine \"web1\"",
  ]
  leaves = [
    "machine 1004 web1 of default: on, 1 cores, 1024 MB",
    "  disc 1005 vda: 25600 MB",
    "most machines down at once: 1",
  ]
}

# It would be given now, but the service cannot start a machine for some minutes.
service "answers" {
  to   = "PUT /virtual_machines/1004"
  text = "\"power_on\":true"
  with = "503"
  for  = "10m"
}

apply {
  sees = [
    "~ cloudserver_vm.web: effective_hardware_profile, last_change, memory",
    "warning at memory: The update restarts the machine: memory",
    "warning at power_on: Cannot restore the power of the machine",
    "error: Cannot restart virtual machine \"web1\"",
  ]
  leaves = [
    "machine 1004 web1 of default: off, 1 cores, 2048 MB",
    "  disc 1005 vda: 25600 MB",
    "most machines down at once: 1",
  ]
}

user "waits" {
  for = "10m"
}

# The next apply starts the machine.
apply {
  sees = [
    "~ cloudserver_vm.web: autoreboot_on, effective_hardware_profile, pending, power_on",
    "warning at power_on: The power of the machine is restored",
  ]
  leaves = [
    "machine 1004 web1 of default: on, 1 cores, 2048 MB",
    "  disc 1005 vda: 25600 MB",
  ]
}

plan {
  sees = [
    "no changes",
  ]
}
