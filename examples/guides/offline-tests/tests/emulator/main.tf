# Posts to a control path of the emulator.
variable "path" {
  type = string
}

variable "body" {
  type    = string
  default = ""
}

resource "terraform_data" "post" {
  triggers_replace = [var.path, var.body]

  provisioner "local-exec" {
    command = "curl -fsS --data-raw \"$BODY\" \"$CLOUDSERVER_ENDPOINT/_emulator/$TO\""
    environment = {
      BODY = var.body
      TO   = var.path
    }
  }
}
