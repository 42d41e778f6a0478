import {
  to = cloudserver_vm.web
  id = "demo/default/web1" # or "default/web1" in the provider's account, or the ID: "1234"
}
