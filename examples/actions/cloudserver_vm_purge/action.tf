# terraform apply -invoke=action.cloudserver_vm_purge.ledger
action "cloudserver_vm_purge" "ledger" {
  config {
    virtual_machine_id = "1004"    # the error about its name shows it
    name               = "ledger1" # a machine of another name is not purged
  }
}
