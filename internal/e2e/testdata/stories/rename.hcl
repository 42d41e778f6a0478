# A machine is renamed: it is the same machine, with the same disc.

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
