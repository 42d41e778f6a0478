import {
  to       = cloudserver_group.production
  identity = { id = "1234" }
}
