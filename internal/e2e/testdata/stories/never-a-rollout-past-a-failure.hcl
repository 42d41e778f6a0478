# A rollout ends with the first machine that does not become ready, also when it is applied again.

# Three machines count as up when they answer at port 22. At most one of them may be down.
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
  ready {
    port    = 22
    timeout = "3m"
  }
}

resource "cloudserver_vm" "two" {
  name                      = "web2"
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

resource "cloudserver_vm" "three" {
  name                      = "web3"
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

# After a restart, the first one will not answer.
guest "does not answer" {
  machine = "web1"
}

# More memory restarts all of them.
resource "cloudserver_vm" "one" {
  memory = 2048
}

resource "cloudserver_vm" "two" {
  memory = 2048
}

resource "cloudserver_vm" "three" {
  memory = 2048
}

# The others keep running.
apply {
  sees = [
    "~ cloudserver_vm.one: effective_hardware_profile, last_change, memory",
    "~ cloudserver_vm.two: effective_hardware_profile, last_change, memory",
    "~ cloudserver_vm.three: effective_hardware_profile, last_change, memory",
    "warning at memory: The update restarts the machine: memory",
    "error at ready: Updated virtual machine \"web1\", but it is not ready",
    "error: Cannot update virtual machine \"web2\"",
    "error: Cannot update virtual machine \"web3\"",
  ]
  leaves = [
    "machine 1004 web1 of default: on, 1 cores, 2048 MB",
    "  disc 1005 vda: 25600 MB",
    "machine 1007 web2 of default: on, 1 cores, 1024 MB",
    "  disc 1008 vda: 25600 MB",
    "machine 1010 web3 of default: on, 1 cores, 1024 MB",
    "  disc 1011 vda: 25600 MB",
    "most machines down at once: 1",
  ]
}

# So they do when it is applied again: the first one is still not ready.
apply {
  sees = [
    "~ cloudserver_vm.one: last_change, pending",
    "~ cloudserver_vm.two: effective_hardware_profile, last_change, memory",
    "~ cloudserver_vm.three: effective_hardware_profile, last_change, memory",
    "warning at ready: The update waits until the machine is ready",
    "warning at memory: The update restarts the machine: memory",
    "error at ready: Updated virtual machine \"web1\", but it is not ready",
    "error: Cannot update virtual machine \"web2\"",
    "error: Cannot update virtual machine \"web3\"",
  ]
  leaves = [
    "machine 1004 web1 of default: on, 1 cores, 2048 MB",
    "  disc 1005 vda: 25600 MB",
    "machine 1007 web2 of default: on, 1 cores, 1024 MB",
    "  disc 1008 vda: 25600 MB",
    "machine 1010 web3 of default: on, 1 cores, 1024 MB",
    "  disc 1011 vda: 25600 MB",
  ]
}

# It answers again, and the rollout goes on.
guest "answers" {
  machine = "web1"
}

apply {
  sees = [
    "~ cloudserver_vm.one: pending",
    "~ cloudserver_vm.two: effective_hardware_profile, last_change, memory",
    "~ cloudserver_vm.three: effective_hardware_profile, last_change, memory",
    "warning at ready: The update waits until the machine is ready",
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
