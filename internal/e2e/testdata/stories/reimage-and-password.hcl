# A new password waits for the next image. A new image erases the boot disc, and leaves the other disc alone.

# The machine is created with an image.
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
  reimage {
    distribution  = "bookworm"
    root_password = "first-Secret-1"
    revision      = "1"
    on_change     = "reimage"
  }
}

apply {
  sees = [
    "+ cloudserver_vm.web",
  ]
  leaves = [
    "machine 1004 web1 of default: on, 1 cores, 1024 MB, image 1 bookworm",
    "  disc 1005 vda: 25600 MB",
    "  disc 1006 data: 10240 MB",
  ]
}

# A new password alone changes nothing: no state has it.
resource "cloudserver_vm" "web" {
  reimage {
    distribution  = "bookworm"
    root_password = "second-Secret-2"
    revision      = "1"
    on_change     = "reimage"
  }
}

plan {
  sees = [
    "no changes",
  ]
}

# A new revision installs the image again, with the new password.
resource "cloudserver_vm" "web" {
  reimage {
    distribution  = "bookworm"
    root_password = "second-Secret-2"
    revision      = "2"
    on_change     = "reimage"
  }
}

apply {
  sees = [
    "~ cloudserver_vm.web: effective_hardware_profile, last_change, last_imaged_with, reimage.revision",
    "warning at reimage: The boot disc of virtual machine \"web1\" will be erased: \"vda\"",
  ]
  leaves = [
    "machine 1004 web1 of default: on, 1 cores, 1024 MB, image 2 bookworm",
    "  disc 1005 vda: 25600 MB",
    "  disc 1006 data: 10240 MB",
    "most machines down at once: 1",
  ]
}

# So does a new distribution.
resource "cloudserver_vm" "web" {
  reimage {
    distribution  = "trixie"
    root_password = "second-Secret-2"
    revision      = "2"
    on_change     = "reimage"
  }
}

apply {
  sees = [
    "~ cloudserver_vm.web: effective_hardware_profile, last_change.erases.vda, last_change.stops, last_imaged_with, reimage.distribution",
    "warning at reimage: The boot disc of virtual machine \"web1\" will be erased: \"vda\"",
  ]
  leaves = [
    "machine 1004 web1 of default: on, 1 cores, 1024 MB, image 3 trixie",
    "  disc 1005 vda: 25600 MB",
    "  disc 1006 data: 10240 MB",
    "most machines down at once: 1",
  ]
}
