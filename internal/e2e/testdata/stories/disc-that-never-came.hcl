# The service says that it has added or purged a disc, and has not. The apply is an error, and the next one does it.

# The machine has one disc.
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

# Another one is configured. The service answers with success, and does nothing.
resource "cloudserver_vm" "web" {
  disc {
    label = "vda"
    size  = 25600
  }
  disc {
    label = "data"
    size  = 10240
  }
}

service "answers" {
  to   = "POST /discs"
  with = "201 {}"
}

apply {
  sees = [
    "~ cloudserver_vm.web: disc.1, disc_ids.data",
    "warning at disc.1.label: The guest sees the change after the next power cycle",
    "error: Cannot add disc \"data\" to virtual machine \"web1\"",
  ]
  mentions = ["data", "last seen: the machine has the discs \"vda\" (ID 1005)"]
  omits    = ["timeouts.update"]
  leaves = [
    "machine 1004 web1 of default: on, 1 cores, 1024 MB",
    "  disc 1005 vda: 25600 MB",
  ]
}

# The next apply adds it.
apply {
  sees = [
    "~ cloudserver_vm.web: disc.1, disc_ids.data",
    "warning at disc.1.label: The guest sees the change after the next power cycle",
  ]
  leaves = [
    "machine 1004 web1 of default: on, 1 cores, 1024 MB",
    "  disc 1005 vda: 25600 MB",
    "  disc 1007 data: 10240 MB",
  ]
}

# Its block is removed. The service says that it has purged the disc, and has not.
resource "cloudserver_vm" "web" {
  disc {
    label = "vda"
    size  = 25600
  }
}

service "answers" {
  to   = "DELETE /discs/1007"
  with = "204"
}

apply {
  sees = [
    "~ cloudserver_vm.web: disc.1, disc_ids.data, last_change",
    "warning at disc: Discs of virtual machine \"web1\" will be purged: \"data\"",
    "error: Cannot purge disc \"data\" of virtual machine \"web1\"",
  ]
  leaves = [
    "machine 1004 web1 of default: on, 1 cores, 1024 MB",
    "  disc 1005 vda: 25600 MB",
    "  disc 1007 data: 10240 MB",
  ]
}

# The next apply purges it.
apply {
  sees = [
    "~ cloudserver_vm.web: disc.1, disc_ids.data, last_change",
    "warning at disc: Discs of virtual machine \"web1\" will be purged: \"data\"",
  ]
  leaves = [
    "machine 1004 web1 of default: on, 1 cores, 1024 MB",
    "  disc 1005 vda: 25600 MB",
  ]
}
