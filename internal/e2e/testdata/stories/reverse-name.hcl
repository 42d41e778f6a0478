# A reverse name is set. A block that gets another label keeps it, and a destroy does not reset a name that
# somebody else has set.

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

# Its block gets another label, without a block "moved". The name stays.
without "cloudserver_rdns" "web" {}

resource "cloudserver_rdns" "www" {
  address  = cloudserver_vm.web.ipv4_address
  hostname = "www.example.com"
}

apply {
  sees = [
    "- cloudserver_rdns.web",
    "+ cloudserver_rdns.www",
  ]
  leaves = [
    "machine 1004 web1 of default: on, 1 cores, 1024 MB",
    "  disc 1005 vda: 25600 MB",
    "  127.77.0.2 is www.example.com",
  ]
}

plan {
  sees = [
    "no changes",
  ]
}

# Somebody gives it another one. The next plan would set it back.
somebody "sets a reverse name" {
  address  = cloudserver_vm.web.ipv4_address
  hostname = "theirs.example.com"
}

plan {
  sees = [
    "~ cloudserver_rdns.www: hostname",
  ]
}

apply {
  sees = [
    "~ cloudserver_rdns.www: hostname",
  ]
  leaves = [
    "machine 1004 web1 of default: on, 1 cores, 1024 MB",
    "  disc 1005 vda: 25600 MB",
    "  127.77.0.2 is www.example.com",
  ]
}

# The block is removed. Between plan and apply, somebody gives the address another name, which stays.
without "cloudserver_rdns" "www" {}

apply {
  somebody "sets a reverse name" {
    address  = cloudserver_vm.web.ipv4_address
    hostname = "theirs.example.com"
  }
  sees = [
    "- cloudserver_rdns.www",
    "warning at hostname: The reverse DNS name of 127.77.0.2 stays",
  ]
  leaves = [
    "machine 1004 web1 of default: on, 1 cores, 1024 MB",
    "  disc 1005 vda: 25600 MB",
    "  127.77.0.2 is theirs.example.com",
  ]
}

# A new block sets the name again, and says which one it was.
resource "cloudserver_rdns" "again" {
  address  = cloudserver_vm.web.ipv4_address
  hostname = "www.example.com"
}

apply {
  mentions = ["theirs.example.com"]
  sees = [
    "+ cloudserver_rdns.again",
    "warning at hostname: The reverse DNS name of 127.77.0.2 was replaced",
  ]
  leaves = [
    "machine 1004 web1 of default: on, 1 cores, 1024 MB",
    "  disc 1005 vda: 25600 MB",
    "  127.77.0.2 is www.example.com",
  ]
}

# Somebody sets another name, a refresh sees it, and the block is removed. The name stays.
somebody "sets a reverse name" {
  address  = cloudserver_vm.web.ipv4_address
  hostname = "theirs.example.com"
}

plan {
  sees = [
    "~ cloudserver_rdns.again: hostname",
  ]
}

without "cloudserver_rdns" "again" {}

apply {
  mentions = ["this resource has set \"www.example.com\""]
  sees = [
    "- cloudserver_rdns.again",
    "warning at hostname: The reverse DNS name of 127.77.0.2 stays",
  ]
  leaves = [
    "machine 1004 web1 of default: on, 1 cores, 1024 MB",
    "  disc 1005 vda: 25600 MB",
    "  127.77.0.2 is theirs.example.com",
  ]
}
