# A machine whose account is hidden stays in the state. Only a machine that is really gone will be recreated.

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

# The account is hidden from these credentials.
service "hides the account" {}

plan {
  sees = [
    "error at account: Cannot read virtual machine \"web1\"",
  ]
}

# It is visible again.
service "shows the account" {}

plan {
  sees = [
    "no changes",
  ]
}

# Somebody purges the machine.
somebody "purges a machine" {
  machine = "web1"
}

# It is created again.
apply {
  sees = [
    "+ cloudserver_vm.web",
    "warning at id: The machine is gone: \"web1\"",
  ]
  leaves = [
    "machine 1007 web1 of default: on, 1 cores, 1024 MB",
    "  disc 1008 vda: 25600 MB",
  ]
}
