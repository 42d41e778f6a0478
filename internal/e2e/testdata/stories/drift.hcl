# Somebody changes the machine. The plan restores what is configured, and leaves the rest alone.

# The machine has a name, and no power_on.
resource "cloudserver_vm" "web" {
  name = "web1"
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

# Somebody renames it, switches it off and attaches a disc.
somebody "renames a machine" {
  machine = "web1"
  to      = "web-old"
}

somebody "switches a machine off" {
  machine = "web-old"
}

somebody "attaches a disc" {
  machine = "web-old"
  label   = "theirs"
}

apply {
  sees = [
    "~ cloudserver_vm.web: hostname, name",
    "warning at power_on: The machine has gone off",
    "warning at disc: The machine has discs that are not in the state",
  ]
  leaves = [
    "machine 1004 web1 of default: off, 1 cores, 1024 MB",
    "  disc 1005 vda: 25600 MB",
    "  disc 1007 theirs: 5120 MB",
  ]
}

# A machine that has to be on says so.
resource "cloudserver_vm" "web" {
  power_on = true
}

apply {
  sees = [
    "~ cloudserver_vm.web: autoreboot_on, effective_hardware_profile, power_on",
    "warning at disc: The machine has discs that are not in the state",
  ]
  leaves = [
    "machine 1004 web1 of default: on, 1 cores, 1024 MB",
    "  disc 1005 vda: 25600 MB",
    "  disc 1007 theirs: 5120 MB",
  ]
}
