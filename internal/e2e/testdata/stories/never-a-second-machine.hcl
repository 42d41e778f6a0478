# Whatever becomes of the answer to a creation, there is one machine, and the state has it.

# The configuration has a machine.
resource "cloudserver_vm" "web" {
  name = "web1"
  disc {
    label = "vda"
    size  = 25600
  }
}

# The service creates it, and the answer is lost.
service "loses the answer" {
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

# Two more machines are created at the same time. The service answers both with an error, and creates neither.
resource "cloudserver_vm" "app" {
  name = "app1"
  disc {
    label = "vda"
    size  = 25600
  }
}

resource "cloudserver_vm" "db" {
  name = "db1"
  disc {
    label = "vda"
    size  = 25600
  }
}

service "answers" {
  to   = "POST /vm_create"
  text = "app1"
  with = "500"
}

service "answers" {
  to   = "POST /vm_create"
  text = "db1"
  with = "500"
  for  = "20s"
}

# The provider asks again. Each machine exists once.
apply {
  sees = [
    "+ cloudserver_vm.app",
    "+ cloudserver_vm.db",
  ]
  leaves = [
    "machine 1004 web1 of default: on, 1 cores, 1024 MB",
    "  disc 1005 vda: 25600 MB",
    "machine 1007 app1 of default: on, 1 cores, 1024 MB",
    "  disc 1008 vda: 25600 MB",
    "machine 1010 db1 of default: on, 1 cores, 1024 MB",
    "  disc 1011 vda: 25600 MB",
  ]
}

plan {
  sees = [
    "no changes",
  ]
}
