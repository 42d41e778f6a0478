output "zone_file" {
  value = join("\n", flatten([for vm in cloudserver_vm.fleet : [
    "${vm.name} 300 IN A ${vm.ipv4_address}",
    vm.ipv6_address == null ? [] : ["${vm.name} 300 IN AAAA ${vm.ipv6_address}"],
  ]]))
}
