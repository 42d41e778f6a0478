# { name = "web1", group = "default", account = "demo", cluster_domain = "cluster.example" }
output "parts" {
  value = provider::cloudserver::parse_hostname("web1.default.demo.cluster.example", "cluster.example")
}
