package emulator

// attribute is a value that the service reports for a machine (API.md §8), with the same name in requests, answers and
// events.
type attribute struct {
	name string
	// shown returns the value in answers.
	shown func(*storedMachine) any
	// read returns a function that sets the value of a request. It returns nil if there is no value, or a wrong one,
	// which is added to the form's problems. read itself is nil for values that clients cannot set.
	read func(*call, form) func(*Machine)
	// described returns the description of a change in events, or "".
	described func(was, is *Machine) string
}

// reported returns an attribute that clients cannot set, or for which setting a field is not enough.
func reported(name string, shown func(*storedMachine) any) attribute {
	return attribute{name: name, shown: shown}
}

// settable returns an attribute that clients can set: field returns the field of a machine, read decodes the value of a
// form, and described describes a change in events.
func settable[T comparable](
	name string, field func(*Machine) *T, read func(*call, form, string) *T, described func(was, is T) string,
) attribute {
	return attribute{
		name:  name,
		shown: func(m *storedMachine) any { return orNull(*field(&m.Machine)) },
		read: func(c *call, f form) func(*Machine) {
			value := read(c, f, name)
			if value == nil {
				return nil
			}
			return func(m *Machine) { *field(m) = *value }
		},
		described: func(was, is *Machine) string {
			if *field(was) == *field(is) {
				return ""
			}
			return described(*field(was), *field(is))
		},
	}
}

// orNull returns null for an empty string.
func orNull(value any) any {
	if value == "" {
		return nil
	}
	return value
}

// specification is what a client sets in vm_create or a PUT, by the names of the attributes. What was not sent is not
// in it.
type specification map[string]func(*Machine)

// apply sets it all.
func (s specification) apply(m *Machine) {
	for _, set := range s {
		set(m)
	}
}
