# By account, group and name; by group and name in the provider's account; by numeric id.
terraform import cloudserver_vm.web demo/default/web1
terraform import cloudserver_vm.web default/web1
terraform import cloudserver_vm.web 1234
