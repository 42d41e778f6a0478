# The answer to the creation is lost. The machine is found, and it is the only one.

# The configuration has a machine.
resource "cloudserver_vm" "web" {
  name = "web1"
  disc {
    label = "vda"
    size  = 25600
  }
}

# The service creates it, and the answer is lost.
service "loses an answer" {
  to = "POST /vm_create"
}

apply {
  sees = [
    "+ cloudserver_vm.web",
    "warning at name: Created an object without the service's confirmation",
  ]
  leaves = [
    "machine 1004 web1 of default: on, 1 cores, 1024 MB",
    "  disc 1005 vda: 25600 MB",
  ]
}

# The state has it.
plan {
  sees = [
    "no changes",
  ]
}
