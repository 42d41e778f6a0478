resource "floor_thing" "one" {
  count = var.n
  name  = "${count.index == 0 ? var.first : "web${count.index}"}-${var.cores}" # its one attribute stands for all
}
