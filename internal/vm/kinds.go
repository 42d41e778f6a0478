package vm

// The beginnings of summaries by which tests recognise messages.
const (
	CannotCreate      = "Cannot create"
	Gone              = "The machine is gone"
	SoftDeleted       = "The machine was soft-deleted elsewhere"
	SoftDeletedBefore = "The machine is soft-deleted"
	DiscsGone         = "Discs are gone"
	Unread            = "Cannot read the machine after the failure"
)

// DeletedElsewhere is a claim, which tests compare with what the service has.
const DeletedElsewhere = "was deleted outside of Terraform"
