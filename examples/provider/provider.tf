terraform {
  required_providers {
    cloudserver = {
      source = "cloudserver/cloudserver"
    }
  }
}

# endpoint and token are left to CLOUDSERVER_ENDPOINT and CLOUDSERVER_TOKEN.
provider "cloudserver" {
  account = "demo"
  group   = "default"
}
