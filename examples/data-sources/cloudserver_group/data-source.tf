data "cloudserver_group" "private" {
  name = "private"
}

# The id stays right when somebody renames the group.
output "group_id" {
  value = data.cloudserver_group.private.id
}
