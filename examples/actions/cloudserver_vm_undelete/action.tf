# terraform apply -invoke=action.cloudserver_vm_undelete.ledger -var machine_id=1234
action "cloudserver_vm_undelete" "ledger" {
  config {
    virtual_machine_id = var.machine_id
  }
}

variable "machine_id" {
  description = "Its ID: the error about its name shows it, and so does the data source cloudserver_vms."
  type        = string
  default     = null
}
