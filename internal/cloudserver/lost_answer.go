package cloudserver

import "fmt"

// AmbiguousError is a creation that failed, and of which it could not be found
// out whether it has created the object.
type AmbiguousError struct {
	What    string // `virtual machine "web1"`
	Found   int64  // ID of an object of that name, which may have existed before; 0: none
	Err     error  // of the creation
	LookErr error  // of the look-up by name; nil: it found nothing so far
}

// Error describes what the creation answered and what is known of its result.
func (e *AmbiguousError) Error() string {
	switch {
	case e.LookErr != nil:
		return fmt.Sprintf("%v; cannot find out whether %s exists: %v", e.Err, e.What, e.LookErr)
	case e.Found != 0:
		return fmt.Sprintf("%v; %s exists now (ID %d), but it may have existed before", e.Err, e.What, e.Found)
	}
	return fmt.Sprintf("%v; %s does not exist so far, but the service may still be creating it", e.Err, e.What)
}

// Unwrap returns the causes.
func (e *AmbiguousError) Unwrap() []error {
	if e.LookErr == nil {
		return []error{e.Err}
	}
	return []error{e.Err, e.LookErr}
}

// NameTaken is the refusal of a machine or group whose name another one has. No
// object was created.
type NameTaken struct {
	Account, Group, Name string // Group: of the machine; "" for a group
	ID                   int64  // of the object that has the name; 0: unknown
	Deleted              bool   // it is a soft-deleted machine
	Err                  error
}

// Error says which object has the name.
func (e *NameTaken) Error() string {
	kind, where := "virtual machine", fmt.Sprintf("group %q of account %q", e.Group, e.Account)
	if e.Group == "" {
		kind, where = "group", fmt.Sprintf("account %q", e.Account)
	}
	who := "another " + kind
	if e.ID != 0 {
		who = fmt.Sprintf("%s %d", kind, e.ID)
	}
	if e.Deleted {
		who += ", which is soft-deleted"
	}
	text := fmt.Sprintf("the name %q is taken in %s by %s", e.Name, where, who)
	if e.Err != nil {
		text += ": " + e.Err.Error()
	}
	return text
}

// Unwrap returns the service's refusal.
func (e *NameTaken) Unwrap() error { return e.Err }
