import {
  to       = cloudserver_rdns.mail
  identity = { address = "192.0.2.25" }
}
