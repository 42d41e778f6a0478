# A new machine cannot have the name of the old one while that still exists.

# A destroy does not purge the machine.
resource "cloudserver_vm" "web" {
  name             = "web1"
  purge_on_destroy = false
  disc {
    label = "vda"
    size  = 25600
  }
}

apply {
  sees = [
    "+ cloudserver_vm.web",
  ]
  leaves = [
    "machine 1004 web1 of default: on, 1 cores, 1024 MB",
    "  disc 1005 vda: 25600 MB",
  ]
}

# Another zone needs another machine. The soft-deleted one would keep the name.
resource "cloudserver_vm" "web" {
  zone_name = "manchester"
}

plan {
  sees = [
    "error at zone_name: Cannot replace virtual machine \"web1\" under the same name",
  ]
}

# So the machine may be purged, which is an apply of its own.
resource "cloudserver_vm" "web" {
  zone_name        = null
  purge_on_destroy = true
}

apply {
  sees = [
    "~ cloudserver_vm.web: purge_on_destroy",
  ]
  leaves = [
    "machine 1004 web1 of default: on, 1 cores, 1024 MB",
    "  disc 1005 vda: 25600 MB",
  ]
}

# The new machine is to be created before the old one is destroyed: it cannot have the name either.
resource "cloudserver_vm" "web" {
  zone_name = "manchester"
  lifecycle {
    create_before_destroy = true
  }
}

apply {
  sees = [
    "+/- cloudserver_vm.web: zone_name",
    "warning at zone_name: All discs of virtual machine \"web1\" will be lost: \"vda\"",
    "warning at zone_name: The service chooses parts of the new machine's specification",
    "warning at name: The name \"web1\" is taken",
    "error at name: Cannot create virtual machine \"web1\" in group \"default\" of account \"demo\"",
  ]
  mentions = ["create_before_destroy needs another name"]
  leaves = [
    "machine 1004 web1 of default: on, 1 cores, 1024 MB",
    "  disc 1005 vda: 25600 MB",
  ]
}

# With another name it can.
resource "cloudserver_vm" "web" {
  name = "web2"
}

apply {
  sees = [
    "+/- cloudserver_vm.web: zone_name",
    "warning at zone_name: All discs of virtual machine \"web1\" will be lost: \"vda\"",
    "warning at zone_name: The service chooses parts of the new machine's specification",
  ]
  leaves = [
    "machine 1007 web2 of default: on, 1 cores, 1024 MB",
    "  disc 1008 vda: 25600 MB",
  ]
}
