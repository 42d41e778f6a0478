resource "cloudserver_group" "production" {
  name = "production"
}
