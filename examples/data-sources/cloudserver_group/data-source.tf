# A group that another configuration may manage as well.
resource "cloudserver_group" "production" {
  name = "production"
}

data "cloudserver_group" "production" {
  name = cloudserver_group.production.name
}

# The ID stays the same when the group is renamed.
output "group_id" {
  value = data.cloudserver_group.production.id
}
