resource "cloudserver_vm" "web" {
  name   = "web1"
  cores  = 1
  memory = 2048

  disc {
    label = "vda"
    size  = 25600
  }

  lifecycle {
    # Another team resizes the machine. What it sets is neither changed back nor shown.
    ignore_changes = [cores, memory]
  }
}
