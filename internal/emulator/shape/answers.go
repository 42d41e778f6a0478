// Package shape defines the forms of answers that API.md leaves open, and rewrites bodies into them.
package shape

// Answers are the forms that API.md leaves open. The zero value answers as the reference pages show.
type Answers struct {
	// Writes is the body of a successful POST or PUT, except of vm_create and of a session.
	Writes WriteAnswer
	// WriteStatus replaces the status of these answers. 0 keeps it.
	WriteStatus int
	// Deletes answers a DELETE with 200 and {}, not with 204.
	Deletes bool
	// PlainJSON sends application/json instead of the vendor's media types, and no type fields.
	PlainJSON bool
	// OmitNulls leaves out fields that are null.
	OmitNulls bool
	// Nulls sends optional fields that have no value as null.
	Nulls bool
	// ExtraFields adds fields that no client knows.
	ExtraFields bool
	// SingleObject sends the only element of a list instead of the list.
	SingleObject bool
	// Reversed sends every list in the reverse order, but for the discs of a machine, of which the first is the boot disc.
	Reversed bool
	// TextIDs sends the ids whose type is not specified as texts: of accounts, groups, interfaces, backups and their schedules.
	TextIDs bool
	// LongAddresses writes IPv6 addresses in upper case and with all their zeros.
	LongAddresses bool
	// ISOTimes writes start_at of a backup schedule as RFC 3339 has it.
	ISOTimes bool
	// Charset adds a parameter to the type application/json and to the vendor's.
	Charset bool
	// FewDefinitions sends only the sets of distributions and storage grades.
	FewDefinitions bool
	// ObjectShapes reports keymap and head as objects.
	ObjectShapes bool
	// OddDefinitions shapes keymaps, sendkeys and descriptions in another way, and adds a set.
	OddDefinitions bool
	// IPKey names the address in /ips/{address} "ip" instead of "address".
	IPKey bool
	// IPv6Management reports IPv6 management addresses.
	IPv6Management bool
	// Problems is the form of the body of a 400.
	Problems ProblemForm
	// LoginRefusal is the status of a refused login. 0 is 403.
	LoginRefusal int
}

// WriteAnswer is the body of a successful POST or PUT.
type WriteAnswer int

// The bodies of a successful POST or PUT.
const (
	WriteObject      WriteAnswer = iota // the object
	WriteEmptyObject                    // {}
	WriteNothing                        // no body
)

// ProblemForm is the form of the body of a 400.
type ProblemForm int

// The forms of the body of a 400.
const (
	ProblemLists ProblemForm = iota // attribute -> ["problem", …]
	ProblemTexts                    // attribute -> "problem"
	ProblemPlain                    // plain text
)
