variable "n" {
  type = number
}

variable "first" {
  default = "web0"
}

resource "terraform_data" "one" {
  count = var.n
  input = count.index == 0 ? var.first : "web${count.index}"
}
