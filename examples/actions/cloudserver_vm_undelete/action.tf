variable "machine_id" {
  description = "ID of the soft-deleted machine: the error about its name shows it, and so does the data source cloudserver_vms."
  type        = string
  default     = null
}

# terraform apply -invoke=action.cloudserver_vm_undelete.ledger -var machine_id=1234
action "cloudserver_vm_undelete" "ledger" {
  config {
    virtual_machine_id = var.machine_id
  }
}
