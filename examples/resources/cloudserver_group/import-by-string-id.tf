import {
  to = cloudserver_group.production
  id = "demo/production" # or "production", or the numeric ID: "1234"
}
