# Somebody has a machine of that name. It is not touched. Whoever owns it imports it.

# The configuration has a machine.
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

# Somebody was faster.
somebody "creates a machine" {
  name = "web1"
}

apply {
  sees = [
    "+ cloudserver_vm.web",
    "warning at name: The name of the machine is taken",
    "error at name: Cannot create virtual machine \"web1\" in group \"default\" of account \"demo\"",
  ]
  leaves = [
    "machine 1004 web1 of default: on, 1 cores, 1024 MB",
    "  disc 1005 vda: 25600 MB",
    "  disc 1006 data: 10240 MB",
  ]
}

# It was a colleague, and the machine is ours.
import {
  to = cloudserver_vm.web
  id = "demo/default/web1"
}

apply {
  sees = [
    "import cloudserver_vm.web",
    "no changes",
  ]
  leaves = [
    "machine 1004 web1 of default: on, 1 cores, 1024 MB",
    "  disc 1005 vda: 25600 MB",
    "  disc 1006 data: 10240 MB",
  ]
}
