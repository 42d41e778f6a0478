# "demo/default/web1", for an import block or a script that runs terraform import.
output "id" {
  value = provider::cloudserver::import_id("demo", "default", "web1")
}
