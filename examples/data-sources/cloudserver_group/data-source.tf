data "cloudserver_group" "shared" {
  name = "private"
}

# The ID stays the same when the group is renamed.
output "group_id" {
  value = data.cloudserver_group.shared.id
}
