import {
  to = cloudserver_vm.web
  id = "demo/default/web1" # or "default/web1", or the numeric id: "1234"
}
