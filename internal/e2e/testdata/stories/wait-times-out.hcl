# A wait ends at its timeout. The error has the last answer of the service, and the machine is in the state.

# The machine is created, and then the service answers no read of it.
resource "cloudserver_vm" "web" {
  name = "web1"
  disc {
    label = "vda"
    size  = 25600
  }
  timeouts {
    create = "1m"
  }
}

service "answers" {
  to   = "GET /virtual_machines/1004"
  with = "500 {\"error\": \"the disc server is away\"}"
  for  = "5m"
}

apply {
  sees = [
    "+ cloudserver_vm.web",
    "error: Created virtual machine \"web1\" in group \"default\" of account \"demo\", but it is not ready",
  ]
  mentions = ["timed out", "500 Internal Server Error", "the disc server is away", "timeouts.create", "terraform untaint"]
  leaves = [
    "machine 1004 web1 of default: on, 1 cores, 1024 MB",
    "  disc 1005 vda: 25600 MB",
  ]
}

# It is on, so it is kept.
user "waits" {
  for = "5m"
}

untaint "cloudserver_vm" "web" {}

plan {
  sees = [
    "no changes",
  ]
}
