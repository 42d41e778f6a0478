# All groups of the provider's account.
list "cloudserver_group" "all" {
  provider         = cloudserver
  include_resource = true
}
