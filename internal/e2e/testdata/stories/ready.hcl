# A machine counts as up when its guest answers. If it does not after an update, the next apply waits for it.

# The machine is ready when it answers at port 22.
resource "cloudserver_vm" "web" {
  name                      = "web1"
  allow_stopping_for_update = true
  disc {
    label = "vda"
    size  = 25600
  }
  ready {
    port    = 22
    timeout = "3m"
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

# After a restart it will not answer.
guest "does not answer" {
  machine = "web1"
}

# More memory restarts it.
resource "cloudserver_vm" "web" {
  memory = 2048
}

apply {
  sees = [
    "~ cloudserver_vm.web: effective_hardware_profile, memory",
    "warning at memory: The update restarts the machine: memory",
    "error at ready: Updated virtual machine \"web1\", but it is not ready",
  ]
  leaves = [
    "machine 1004 web1 of default: on, 1 cores, 2048 MB",
    "  disc 1005 vda: 25600 MB",
  ]
}

# It answers again.
guest "answers" {
  machine = "web1"
}

apply {
  sees = [
    "~ cloudserver_vm.web: effective_hardware_profile",
    "warning at ready: The machine did not become ready in time",
  ]
  leaves = [
    "machine 1004 web1 of default: on, 1 cores, 2048 MB",
    "  disc 1005 vda: 25600 MB",
  ]
}
