data "cloudserver_definitions" "offered" {}

output "distributions" {
  value = data.cloudserver_definitions.offered.distribution_descriptions
}
