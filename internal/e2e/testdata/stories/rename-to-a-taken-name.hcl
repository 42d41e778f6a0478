# A machine is renamed: it is the same machine, with the same disc. A taken name changes nothing.

# The machine is called web1.
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

# It gets another name.
resource "cloudserver_vm" "web" {
  name = "app1"
}

apply {
  sees = [
    "~ cloudserver_vm.web: hostname, name",
  ]
  leaves = [
    "machine 1004 app1 of default: on, 1 cores, 1024 MB",
    "  disc 1005 vda: 25600 MB",
  ]
}

# Somebody has a machine of the next name.
somebody "creates a machine" {
  name = "db1"
}

resource "cloudserver_vm" "web" {
  name = "db1"
}

apply {
  sees = [
    "~ cloudserver_vm.web: hostname, name",
    "warning at name: The name \"db1\" is taken",
    "error at name: Cannot rename virtual machine \"app1\"",
  ]
  mentions = ["Nothing was changed."]
  omits    = ["import {"]
  leaves = [
    "machine 1004 app1 of default: on, 1 cores, 1024 MB",
    "  disc 1005 vda: 25600 MB",
    "machine 1007 db1 of default: on, 1 cores, 1024 MB",
    "  disc 1008 vda: 25600 MB",
    "  disc 1009 data: 10240 MB",
  ]
}

# The other machine is purged while the apply tries again.
apply {
  somebody "purges a machine" {
    after   = "10s"
    machine = "db1"
  }
  sees = [
    "~ cloudserver_vm.web: hostname, name",
    "warning at name: The name \"db1\" is taken",
  ]
  leaves = [
    "machine 1004 db1 of default: on, 1 cores, 1024 MB",
    "  disc 1005 vda: 25600 MB",
  ]
}
