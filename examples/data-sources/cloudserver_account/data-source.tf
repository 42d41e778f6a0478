data "cloudserver_account" "own" {}

check "account" {
  assert {
    condition     = !data.cloudserver_account.own.suspended
    error_message = "The account ${data.cloudserver_account.own.name} is suspended: nothing in it can be changed."
  }
}
