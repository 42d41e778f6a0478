# A new machine is to have the address of another one. The apply tries again for half a minute, because that one may be
# on its way out.

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
  name  = "app1"
  group = "private"
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
