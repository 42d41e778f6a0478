# A group is renamed. Its machine stays in it, and is not changed.

# A machine is in a group.
resource "cloudserver_group" "team" {
  name = "team"
}

resource "cloudserver_vm" "web" {
  group_id = cloudserver_group.team.id
  name     = "web1"
  disc {
    label = "vda"
    size  = 25600
  }
}

apply {
  sees = [
    "+ cloudserver_group.team",
    "+ cloudserver_vm.web",
  ]
  leaves = [
    "group team",
    "machine 1005 web1 of team: on, 1 cores, 1024 MB",
    "  disc 1006 vda: 25600 MB",
  ]
}

# The group gets another name.
resource "cloudserver_group" "team" {
  name = "crew"
}

apply {
  sees = [
    "~ cloudserver_group.team: name",
  ]
  leaves = [
    "group crew",
    "machine 1005 web1 of crew: on, 1 cores, 1024 MB",
    "  disc 1006 vda: 25600 MB",
  ]
}

# The machine is as configured.
plan {
  sees = [
    "no changes",
  ]
}

# Both are destroyed, the machine first.
without "cloudserver_group" "team" {}

without "cloudserver_vm" "web" {}

apply {
  sees = [
    "- cloudserver_group.team",
    "- cloudserver_vm.web",
    "warning at disc: Destroying a machine destroys its discs and their backups",
  ]
  leaves = [
    "nothing",
  ]
}
