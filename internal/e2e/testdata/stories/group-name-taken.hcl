# A group's name is taken, and the service's answer is an error of its own. The other group is not adopted.

# The configuration has a group. Somebody takes the name between plan and apply.
resource "cloudserver_group" "team" {
  name = "team"
}

service "answers" {
  to   = "POST /groups"
  with = "500"
}

apply {
  somebody "creates a group" {
    name = "team"
  }
  sees = [
    "+ cloudserver_group.team",
    "warning at name: The name of the group is taken",
    "error at name: Cannot create group \"team\" of account \"demo\"",
  ]
  leaves = [
    "group team",
  ]
}

# The state does not have it.
plan {
  sees = [
    "+ cloudserver_group.team",
    "warning at name: The name of the group is taken",
  ]
}

# So it is not deleted with the configuration.
without "cloudserver_group" "team" {}

apply {
  sees = [
    "no changes",
  ]
  leaves = [
    "group team",
  ]
}
