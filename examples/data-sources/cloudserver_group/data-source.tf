data "cloudserver_group" "shared" {
  name = "private"
}

output "group_id" {
  value = data.cloudserver_group.shared.id
}
