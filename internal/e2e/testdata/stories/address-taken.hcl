# An address is wanted that another machine has. The apply tries again for half a minute. A soft-deleted machine, which
# no list shows, is named where it is in the way.

# A machine has an address that its configuration names.
resource "cloudserver_vm" "db" {
  name  = "db1"
  group = "private"
  disc {
    label = "vda"
    size  = 25600
  }
  ips {
    ipv4 = "192.0.2.10"
  }
}

apply {
  sees = [
    "+ cloudserver_vm.db",
  ]
  leaves = [
    "machine 1004 db1 of private: on, 1 cores, 1024 MB",
    "  disc 1005 vda: 25600 MB",
  ]
}

# Another machine is to have that address. Somebody purges the old machine while the apply tries again.
resource "cloudserver_vm" "app" {
  name             = "app1"
  group            = "private"
  purge_on_destroy = false
  disc {
    label = "vda"
    size  = 25600
  }
  ips {
    ipv4 = "192.0.2.10"
  }
}

without "cloudserver_vm" "db" {}

apply {
  somebody "purges a machine" {
    after   = "10s"
    machine = "db1"
  }
  sees = [
    "- cloudserver_vm.db",
    "+ cloudserver_vm.app",
  ]
  leaves = [
    "machine 1007 app1 of private: on, 1 cores, 1024 MB",
    "  disc 1008 vda: 25600 MB",
  ]
}

# Its block is removed: it is soft-deleted, and keeps the address.
without "cloudserver_vm" "app" {}

apply {
  sees = [
    "- cloudserver_vm.app",
    "warning at purge_on_destroy: A soft-deleted machine keeps its name",
  ]
  leaves = [
    "machine 1007 app1 of private: soft-deleted, 1 cores, 1024 MB",
    "  disc 1008 vda: 25600 MB",
  ]
}

# The next machine with the address cannot be created, and the error names the soft-deleted one.
resource "cloudserver_vm" "web" {
  name  = "web1"
  group = "private"
  disc {
    label = "vda"
    size  = 25600
  }
  ips {
    ipv4 = "192.0.2.10"
  }
}

apply {
  sees = [
    "+ cloudserver_vm.web",
    "error at ips.ipv4: Cannot create virtual machine \"web1\" in group \"private\" of account \"demo\"",
  ]
  mentions = ["soft-deleted virtual machine \"app1\"", "undelete", "purge"]
  leaves = [
    "machine 1007 app1 of private: soft-deleted, 1 cores, 1024 MB",
    "  disc 1008 vda: 25600 MB",
  ]
}
