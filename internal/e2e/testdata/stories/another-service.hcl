# The endpoint of another service is configured by mistake. It has an account of the same name, and nothing is lost.

# The configuration has a machine in a group.
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

# The other service is empty.
provider "cloudserver" {
  endpoint = "http://127.0.0.2"
}

plan {
  sees = [
    "error: Cannot read group \"team\" of account \"demo\"",
    "error at account: Cannot read virtual machine \"web1\"",
  ]
  mentions = ["http://127.0.0.2", "Check endpoint, and which provider the resource uses", "terraform state rm"]
}

apply {
  sees = [
    "error: Cannot read group \"team\" of account \"demo\"",
    "error at account: Cannot read virtual machine \"web1\"",
  ]
  leaves = [
    "nothing",
  ]
}

# A destroy is refused as well.
without "cloudserver_vm" "web" {}

apply {
  sees = [
    "error: Cannot read group \"team\" of account \"demo\"",
    "error at account: Cannot read virtual machine \"web1\"",
  ]
  leaves = [
    "nothing",
  ]
}

# With the right endpoint, everything is as it was.
provider "cloudserver" {}

resource "cloudserver_vm" "web" {
  name  = "web1"
  group = cloudserver_group.team.name
  disc {
    label = "vda"
    size  = 25600
  }
}

plan {
  sees = [
    "no changes",
  ]
}
