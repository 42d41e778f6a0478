# The service forbids everything for two seconds while a machine is created. The creation waits, and succeeds.

# The configuration has one machine.
resource "cloudserver_vm" "web" {
  name = "web1"
  disc {
    label = "vda"
    size  = 25600
  }
}

apply {
  service "answers" {
    after = "3s"
    to    = "* "
    with  = "403"
    for   = "2s"
  }
  sees = [
    "+ cloudserver_vm.web",
  ]
  leaves = [
    "machine 1004 web1 of default: on, 1 cores, 1024 MB",
    "  disc 1005 vda: 25600 MB",
  ]
}

# The machine is as configured, and not tainted.
plan {
  sees = [
    "no changes",
  ]
}
