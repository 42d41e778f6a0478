terraform import cloudserver_vm.web demo/default/web1
