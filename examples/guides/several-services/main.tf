terraform {
  required_providers {
    cloudserver = {
      source  = "cloudserver/cloudserver"
      version = "~> 1.0"
    }
  }
}

variable "york" {
  description = "Endpoint and API key of the service in York."
  type        = object({ endpoint = string, token = string })
  ephemeral   = true
}

variable "leeds" {
  description = "Endpoint and API key of the service in Leeds."
  type        = object({ endpoint = string, token = string })
  ephemeral   = true
}

provider "cloudserver" {
  endpoint = var.york.endpoint
  token    = var.york.token
  account  = "demo"
}

provider "cloudserver" {
  alias    = "leeds"
  endpoint = var.leeds.endpoint
  token    = var.leeds.token
  account  = "demo"
}

resource "cloudserver_vm" "web" {
  name = "web1"

  disc {
    label = "vda"
    size  = 25600
  }
}

resource "cloudserver_vm" "standby" {
  provider = cloudserver.leeds # the default is the block without an alias
  name     = "web1"

  disc {
    label = "vda"
    size  = 25600
  }
}
