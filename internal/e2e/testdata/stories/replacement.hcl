# Another zone needs another machine: the plan says that all discs are lost, also one that is in no configuration.
# So does another address, which nobody asks for at plan.

# The machine is in the default zone.
resource "cloudserver_vm" "web" {
  name = "web1"
  disc {
    label = "vda"
    size  = 25600
  }
  disc {
    label = "data"
    size  = 10240
  }
}

apply {
  sees = [
    "+ cloudserver_vm.web",
  ]
  leaves = [
    "machine 1004 web1 of default: on, 1 cores, 1024 MB",
    "  disc 1005 vda: 25600 MB",
    "  disc 1006 data: 10240 MB",
  ]
}

# Somebody attaches a disc.
somebody "attaches a disc" {
  machine = "web1"
  label   = "theirs"
}

# Another zone is configured.
resource "cloudserver_vm" "web" {
  zone_name = "manchester"
}

apply {
  sees = [
    "-/+ cloudserver_vm.web: zone_name",
    "warning at disc: Unmanaged discs: \"theirs\"",
    "warning at zone_name: All discs of virtual machine \"web1\" will be lost: \"vda\", \"data\", \"theirs\"",
    "warning at zone_name: The service chooses parts of the new machine's specification",
  ]
  leaves = [
    "machine 1009 web1 of default: on, 1 cores, 1024 MB",
    "  disc 1010 vda: 25600 MB",
    "  disc 1011 data: 10240 MB",
  ]
}

# Another machine has an address of its own.
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
    "machine 1009 web1 of default: on, 1 cores, 1024 MB",
    "  disc 1010 vda: 25600 MB",
    "  disc 1011 data: 10240 MB",
    "machine 1013 db1 of private: on, 1 cores, 1024 MB",
    "  disc 1014 vda: 25600 MB",
  ]
}

# It gets another one, which is free, although the service does not say so.
service "answers" {
  to   = "GET /ips/192.0.2.20"
  with = "200 {\"address\": \"192.0.2.20\", \"rdns\": null}"
  for  = "1h"
}

resource "cloudserver_vm" "db" {
  ips {
    ipv4 = "192.0.2.20"
  }
}

apply {
  sees = [
    "-/+ cloudserver_vm.db: ips.ipv4",
    "warning at ips.ipv4: All discs of virtual machine \"db1\" will be lost: \"vda\"",
    "warning at ips.ipv4: The service chooses parts of the new machine's specification",
  ]
  leaves = [
    "machine 1009 web1 of default: on, 1 cores, 1024 MB",
    "  disc 1010 vda: 25600 MB",
    "  disc 1011 data: 10240 MB",
    "machine 1016 db1 of private: on, 1 cores, 1024 MB",
    "  disc 1017 vda: 25600 MB",
  ]
}
