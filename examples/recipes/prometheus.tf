output "file_sd" {
  value = jsonencode([for vm in cloudserver_vm.fleet : {
    targets = ["${vm.ipv4_address}:9100"]
    labels  = { instance = vm.hostname, group = vm.group, zone = vm.zone_name }
  }])
}
