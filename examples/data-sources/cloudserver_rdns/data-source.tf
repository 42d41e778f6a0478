data "cloudserver_rdns" "mail" {
  address = "198.51.100.2"
}

output "reverse_name" {
  value = data.cloudserver_rdns.mail.hostname
}
