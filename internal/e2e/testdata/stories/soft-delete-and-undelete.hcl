# A machine is deleted in a way that it can come back. It keeps its name, is undeleted, and imported again.

# A destroy does not purge the machine.
resource "cloudserver_vm" "web" {
  name             = "web1"
  purge_on_destroy = false
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

# It is destroyed.
without "cloudserver_vm" "web" {}

apply {
  sees = [
    "- cloudserver_vm.web",
    "warning at purge_on_destroy: A soft-deleted machine keeps its name: \"web1\"",
  ]
  leaves = [
    "machine 1004 web1 of default: soft-deleted, 1 cores, 1024 MB",
    "  disc 1005 vda: 25600 MB",
  ]
}

# A new one cannot have its name.
resource "cloudserver_vm" "web" {
  name             = "web1"
  purge_on_destroy = false
  disc {
    label = "vda"
    size  = 25600
  }
}

apply {
  sees = [
    "+ cloudserver_vm.web",
    "warning at name: A soft-deleted machine has the name \"web1\"",
    "error at name: Cannot create virtual machine \"web1\" in group \"default\" of account \"demo\"",
  ]
  leaves = [
    "machine 1004 web1 of default: soft-deleted, 1 cores, 1024 MB",
    "  disc 1005 vda: 25600 MB",
  ]
}

# It is undeleted,
invoke "cloudserver_vm_undelete" {
  virtual_machine_id = "1004"
  sees = [
    "done",
  ]
  leaves = [
    "machine 1004 web1 of default: on, 1 cores, 1024 MB",
    "  disc 1005 vda: 25600 MB",
  ]
}

# and imported.
import {
  to = cloudserver_vm.web
  id = "demo/default/web1"
}

apply {
  sees = [
    "import cloudserver_vm.web",
    "~ cloudserver_vm.web: purge_on_destroy",
  ]
  leaves = [
    "machine 1004 web1 of default: on, 1 cores, 1024 MB",
    "  disc 1005 vda: 25600 MB",
  ]
}
