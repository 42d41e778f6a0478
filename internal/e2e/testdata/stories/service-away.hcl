# The service is away for a while, a machine is locked, and a session ends. Terraform waits, and does what was planned.

# The provider logs in by itself.
provider "cloudserver" {
  token    = null
  username = "demo"
  password = "demo"
}

resource "cloudserver_vm" "web" {
  name = "web1"
  disc {
    label = "vda"
    size  = 25600
  }
}

# At first the new machine is not found. While it boots, all sessions end, and then the service is away for five
# seconds.
service "answers" {
  to   = "GET /virtual_machines/1004"
  with = "404"
  for  = "1s"
}

apply {
  service "ends all sessions" {
    after = "3s"
  }
  service "answers" {
    after = "6s"
    to    = "* "
    with  = "503"
    for   = "5s"
  }
  sees = [
    "+ cloudserver_vm.web",
  ]
  leaves = [
    "machine 1004 web1 of default: on, 1 cores, 1024 MB",
    "  disc 1005 vda: 25600 MB",
  ]
}

# Another operation locks the machine for two seconds, first against changes and then against new discs.
resource "cloudserver_vm" "web" {
  keymap = "de"
  disc {
    label = "vda"
    size  = 25600
  }
  disc {
    label = "data"
    size  = 10240
  }
}

service "answers" {
  to   = "PUT /virtual_machines/1004"
  with = "423"
  for  = "2s"
}

service "answers" {
  to   = "POST /discs"
  with = "409"
  for  = "2s"
}

apply {
  until = "409 and 423 are tried again"
  sees = [
    "~ cloudserver_vm.web: disc.1, disc_ids.data, keymap",
    "warning at disc.1.label: The guest sees the change after the next power cycle",
  ]
  leaves = [
    "machine 1004 web1 of default: on, 1 cores, 1024 MB",
    "  disc 1005 vda: 25600 MB",
    "  disc 1007 data: 10240 MB",
  ]
}

# The service is away for five seconds during the plan.
service "answers" {
  to   = "GET "
  with = "503"
  for  = "5s"
}

plan {
  sees = [
    "no changes",
  ]
}
