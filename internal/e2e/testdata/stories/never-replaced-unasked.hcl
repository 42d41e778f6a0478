# Nothing that happens to a machine elsewhere replaces it. The plan restores what is configured, and leaves
# the rest alone.

# The machine has a name and an image, and no power_on.
resource "cloudserver_vm" "web" {
  name = "web1"
  disc {
    label = "vda"
    size  = 25600
  }
  reimage {
    distribution  = "bookworm"
    root_password = "first-Secret-1"
  }
}

apply {
  sees = [
    "+ cloudserver_vm.web",
  ]
  leaves = [
    "machine 1004 web1 of default: on, 1 cores, 1024 MB, image 1 bookworm",
    "  disc 1005 vda: 25600 MB",
  ]
}

# Somebody renames it, switches it off and attaches a disc. The service does not offer its image any more.
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

service "retires a distribution" {
  name = "bookworm"
}

apply {
  sees = [
    "~ cloudserver_vm.web: hostname, name",
    "warning at disc: Unmanaged discs: \"theirs\"",
    "warning at power_on: The machine has gone off: \"web-old\"",
  ]
  leaves = [
    "machine 1004 web1 of default: off, 1 cores, 1024 MB, image 1 bookworm",
    "  disc 1005 vda: 25600 MB",
    "  disc 1007 theirs: 5120 MB",
    "most machines down at once: 1",
  ]
}

# A machine that has to be on says so.
resource "cloudserver_vm" "web" {
  power_on = true
}

apply {
  sees = [
    "~ cloudserver_vm.web: autoreboot_on, effective_hardware_profile, power_on",
    "warning at disc: Unmanaged discs: \"theirs\"",
  ]
  leaves = [
    "machine 1004 web1 of default: on, 1 cores, 1024 MB, image 1 bookworm",
    "  disc 1005 vda: 25600 MB",
    "  disc 1007 theirs: 5120 MB",
  ]
}

# Another zone needs another machine, which could not have the image. So it is not replaced.
resource "cloudserver_vm" "web" {
  zone_name = "manchester"
}

plan {
  sees = [
    "warning at disc: Unmanaged discs: \"theirs\"",
    "error at reimage.distribution: Invalid distribution \"bookworm\"",
  ]
}
