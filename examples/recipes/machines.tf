resource "cloudserver_vm" "fleet" {
  for_each = { a = "db1", b = "web1", c = "web2" }
  name     = each.value

  disc {
    label = "vda"
    size  = 25600
  }
}
