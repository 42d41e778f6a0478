provider "peer" {}

resource "peer_server" "one" {
  count  = var.n
  name   = count.index == 0 ? var.first : "web${count.index}"
  plan   = "standard-${var.cores}"
  image  = "bookworm"
  region = "york"

  network {
    network_id = 4711
  }
}
