# A group is renamed. Its machine stays in it, and nothing is replaced.

# A machine is in a group, and its address has a reverse name.
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

resource "cloudserver_rdns" "web" {
  address  = cloudserver_vm.web.ipv4_address
  hostname = "www.example.com"
}

apply {
  sees = [
    "+ cloudserver_group.team",
    "+ cloudserver_vm.web",
    "+ cloudserver_rdns.web",
  ]
  leaves = [
    "group team",
    "machine 1005 web1 of team: on, 1 cores, 1024 MB",
    "  disc 1006 vda: 25600 MB",
    "  127.77.0.2 is www.example.com",
  ]
}

# The group gets another name. The address of the machine is known, so the reverse name is not replaced.
resource "cloudserver_group" "team" {
  name = "crew"
}

apply {
  sees = [
    "~ cloudserver_group.team: name",
    "~ cloudserver_vm.web: group, hostname",
  ]
  leaves = [
    "group crew",
    "machine 1005 web1 of crew: on, 1 cores, 1024 MB",
    "  disc 1006 vda: 25600 MB",
    "  127.77.0.2 is www.example.com",
  ]
}

# Everything is as configured.
plan {
  sees = [
    "no changes",
  ]
}

# All of it is destroyed, the group last.
without "cloudserver_group" "team" {}

without "cloudserver_vm" "web" {}

without "cloudserver_rdns" "web" {}

apply {
  sees = [
    "- cloudserver_group.team",
    "- cloudserver_vm.web",
    "- cloudserver_rdns.web",
    "warning at disc: Destroying a machine destroys its discs and their backups",
  ]
  leaves = [
    "nothing",
  ]
}
