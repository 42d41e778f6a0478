resource "cloudserver_group" "staging" {
  name = "staging"
}

data "cloudserver_group" "staging" {
  name = "staging"

  depends_on = [cloudserver_group.staging] # not where another configuration creates it
}

# The ID stays the same when somebody renames the group.
output "group_id" {
  value = data.cloudserver_group.staging.id
}
