# A group is created in the same apply as its machines, without a warning. It can be deleted once it is empty.

# The group does not exist yet.
resource "cloudserver_group" "team" {
  name = "team"
}

resource "cloudserver_vm" "web" {
  name  = "web1"
  group = cloudserver_group.team.name
  disc {
    label = "vda"
    size  = 25600
  }
}

resource "cloudserver_vm" "app" {
  name  = "app1"
  group = cloudserver_group.team.name
  disc {
    label = "vda"
    size  = 25600
  }
}

apply {
  sees = [
    "+ cloudserver_group.team",
    "+ cloudserver_vm.web",
    "+ cloudserver_vm.app",
  ]
  leaves = [
    "group team",
    "machine 1005 web1 of team: on, 1 cores, 1024 MB",
    "  disc 1006 vda: 25600 MB",
    "machine 1008 app1 of team: on, 1 cores, 1024 MB",
    "  disc 1009 vda: 25600 MB",
  ]
}

plan {
  sees = [
    "no changes",
  ]
}

# A colleague creates a machine in the group.
somebody "creates a machine" {
  name  = "theirs"
  group = "team"
}

# The group is in the way of nobody but that machine.
without "cloudserver_vm" "web" {}

without "cloudserver_vm" "app" {}

without "cloudserver_group" "team" {}

apply {
  sees = [
    "- cloudserver_group.team",
    "- cloudserver_vm.web",
    "- cloudserver_vm.app",
    "warning at disc: Destroying a machine destroys its discs and their backups",
    "error: Cannot delete group \"team\" of account \"demo\"",
  ]
  leaves = [
    "group team",
    "machine 1011 theirs of team: on, 1 cores, 1024 MB",
    "  disc 1012 vda: 25600 MB",
    "  disc 1013 data: 10240 MB",
  ]
}

# Somebody empties the group.
somebody "purges a machine" {
  machine = "theirs"
}

apply {
  sees = [
    "- cloudserver_group.team",
  ]
  leaves = [
    "nothing",
  ]
}
