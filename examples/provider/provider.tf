terraform {
  required_providers {
    cloudserver = {
      source  = "cloudserver/cloudserver"
      version = "~> 1.0"
    }
  }
}

# endpoint and token come from CLOUDSERVER_ENDPOINT and CLOUDSERVER_TOKEN.
provider "cloudserver" {
  account = "demo"
  group   = "default"
}
