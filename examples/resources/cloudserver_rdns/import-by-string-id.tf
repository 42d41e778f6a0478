import {
  to = cloudserver_rdns.mail
  id = "192.0.2.25"
}
