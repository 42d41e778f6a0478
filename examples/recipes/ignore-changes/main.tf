resource "cloudserver_vm" "web" {
  name   = "web1"
  cores  = 1
  memory = 2048

  disc {
    label = "vda"
    size  = 25600
  }

  lifecycle {
    ignore_changes = [cores, memory] # another team sets them
  }
}
