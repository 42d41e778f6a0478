import {
  to       = cloudserver_vm.web
  identity = { id = "1234" }
}
