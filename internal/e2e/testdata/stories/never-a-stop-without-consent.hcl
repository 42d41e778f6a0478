# Nothing stops a machine, unless the configuration allows it.

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

# Another name and another disc stop nothing.
resource "cloudserver_vm" "web" {
  name = "app1"
  disc {
    label = "vda"
    size  = 25600
  }
  disc {
    label = "data"
    size  = 10240
  }
}

apply {
  sees = [
    "~ cloudserver_vm.web: disc.1, disc_ids.data, hostname, name",
    "warning at disc.1.label: The guest sees the change after the next power cycle",
  ]
  leaves = [
    "machine 1004 app1 of default: on, 1 cores, 1024 MB",
    "  disc 1005 vda: 25600 MB",
    "  disc 1007 data: 10240 MB",
  ]
}

# More memory needs a restart, which has to be allowed.
resource "cloudserver_vm" "web" {
  memory = 4096
}

plan {
  sees = [
    "error at memory: Cannot change memory of virtual machine \"app1\" without a restart",
  ]
}

# So does the first image of the machine.
resource "cloudserver_vm" "web" {
  reimage {
    distribution  = "bookworm"
    root_password = "correct horse"
  }
}

plan {
  sees = [
    "error at memory: Cannot change memory of virtual machine \"app1\" without a restart",
    "error at reimage: Cannot install the image of virtual machine \"app1\" without a restart",
  ]
}

# Both are allowed.
resource "cloudserver_vm" "web" {
  allow_stopping_for_update = true
}

apply {
  sees = [
    "~ cloudserver_vm.web: allow_stopping_for_update, effective_hardware_profile, last_change, last_imaged_with, memory, reimage",
    "warning at reimage: The boot disc of virtual machine \"app1\" will be erased: \"vda\"",
  ]
  leaves = [
    "machine 1004 app1 of default: on, 1 cores, 4096 MB, image 1 bookworm",
    "  disc 1005 vda: 25600 MB",
    "  disc 1007 data: 10240 MB",
    "most machines down at once: 1",
  ]
}

# Nothing has changed since.
plan {
  sees = [
    "no changes",
  ]
}

# The machine is taken out of the configuration.
without "cloudserver_vm" "web" {}

apply {
  sees = [
    "- cloudserver_vm.web",
  ]
  leaves = [
    "nothing",
  ]
}
