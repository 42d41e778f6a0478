// Package shape defines the forms that API.md leaves open for answers, and converts bodies into them.
package shape

// Answers selects the forms that API.md leaves open. The zero value answers like the reference pages.
type Answers struct {
	// Writes is the body of a successful POST or PUT, except of vm_create and of a session.
	Writes WriteAnswer
	// WriteStatus replaces the status of the same answers. 0 keeps it.
	WriteStatus int
	// Deletes answers a DELETE with 200 and {} instead of 204.
	Deletes bool
	// PlainJSON uses application/json instead of the vendor's media types, and omits type fields.
	PlainJSON bool
	// OmitNulls omits fields that are null.
	OmitNulls bool
	// Nulls sends optional fields that have no value as null.
	Nulls bool
	// ExtraFields adds unknown fields.
	ExtraFields bool
	// SingleObject replaces a list of one by its element.
	SingleObject bool
	// Reversed reverses every list except the discs of a machine, of which the first is the boot disc.
	Reversed bool
	// TextIDs sends IDs whose type is not specified as strings: those of accounts, groups, interfaces, backups and
	// backup schedules.
	TextIDs bool
	// LongAddresses writes IPv6 addresses in upper case and without abbreviation.
	LongAddresses bool
	// ISOTimes writes start_at of a backup schedule in the format of RFC 3339.
	ISOTimes bool
	// Charset adds a parameter to JSON media types.
	Charset bool
	// FewDefinitions sends the sets of distributions and storage grades only.
	FewDefinitions bool
	// ObjectShapes reports keymap and head as objects.
	ObjectShapes bool
	// OddDefinitions sends keymaps, sendkeys and descriptions in another form, and adds a set.
	OddDefinitions bool
	// IPKey names the address in /ips/{address} "ip" instead of "address".
	IPKey bool
	// IPv6Management reports IPv6 management addresses.
	IPv6Management bool
	// Problems is the form of the body of a 400.
	Problems ProblemForm
	// LoginRefusal is the status of a refused login; 0 means 403.
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
