ephemeral "cloudserver_session" "ci" {
  username = "demo"
  password = var.password
}

provider "cloudserver" {
  alias   = "ci"
  token   = ephemeral.cloudserver_session.ci.token
  account = "demo"
}

resource "cloudserver_group" "review" {
  provider = cloudserver.ci
  name     = "review"
}

variable "password" {
  type      = string
  sensitive = true
  ephemeral = true
}
