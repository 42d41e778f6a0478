import {
  to = cloudserver_group.production
  id = "demo/production" # or "production", or the numeric id: "1234"
}
