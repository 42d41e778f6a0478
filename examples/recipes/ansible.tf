output "inventory" {
  value = yamlencode({
    for role in ["db", "web"] : role => {
      hosts = { for vm in cloudserver_vm.fleet : vm.name => {
        ansible_host = vm.ipv4_address
        ansible_user = "root"
      } if startswith(vm.name, role) }
    }
  })
}
