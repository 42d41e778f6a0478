# A reverse name is set. Somebody sets another one, which a destroy does not reset.

# The address of a machine has a name.
resource "cloudserver_vm" "web" {
  name = "web1"
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
    "+ cloudserver_vm.web",
    "+ cloudserver_rdns.web",
  ]
  leaves = [
    "machine 1004 web1 of default: on, 1 cores, 1024 MB",
    "  disc 1005 vda: 25600 MB",
    "  127.77.0.2 is www.example.com",
  ]
}

# Somebody gives it another one.
somebody "sets a reverse name" {
  address  = cloudserver_vm.web.ipv4_address
  hostname = "theirs.example.com"
}

plan {
  sees = [
    "~ cloudserver_rdns.web: hostname",
  ]
}

# The block is removed.
without "cloudserver_rdns" "web" {}

apply {
  sees = [
    "- cloudserver_rdns.web",
    "warning at hostname: The reverse DNS name stays",
  ]
  leaves = [
    "machine 1004 web1 of default: on, 1 cores, 1024 MB",
    "  disc 1005 vda: 25600 MB",
    "  127.77.0.2 is theirs.example.com",
  ]
}
