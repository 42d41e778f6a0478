# A destroy purges the discs that its plan has named, and no others.

# The machine has one disc.
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

# The machine is taken out of the configuration. Between plan and apply, somebody attaches a disc.
without "cloudserver_vm" "web" {}

apply {
  somebody "attaches a disc" {
    machine = "web1"
    label   = "theirs"
  }
  sees = [
    "- cloudserver_vm.web",
    "error at disc: Cannot delete virtual machine \"web1\"",
  ]
  leaves = [
    "machine 1004 web1 of default: on, 1 cores, 1024 MB",
    "  disc 1005 vda: 25600 MB",
    "  disc 1007 theirs: 5120 MB",
  ]
}

# The next plan names the disc, so its apply may purge it.
apply {
  sees = [
    "- cloudserver_vm.web",
    "warning at disc: Unmanaged discs: \"theirs\"",
    "warning at disc: Unmanaged discs of virtual machine \"web1\" will be destroyed: \"theirs\"",
  ]
  mentions = ["a destroy or a replacement destroys them", "theirs"]
  leaves = [
    "nothing",
  ]
}
