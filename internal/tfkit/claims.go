package tfkit

// Claims about what an operation did. Messages contain these words, and tests compare them with what the service was
// asked.
const (
	NothingCreated = "Nothing was created."
	NothingChanged = "Nothing was changed"
	NothingSent    = "Nothing was sent."
	NothingDeleted = "Nothing was deleted"
)

// CannotCheckPlan is the beginning of the summary of an error that one cause has for all plan checks of a run.
const CannotCheckPlan = "Cannot check the plan"
