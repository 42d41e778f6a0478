# terraform apply -invoke=action.cloudserver_vm_undelete.ledger
action "cloudserver_vm_undelete" "ledger" {
  config {
    virtual_machine_id = "1004" # the error about its name shows it
  }
}
