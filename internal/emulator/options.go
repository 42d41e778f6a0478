package emulator

import (
	"io"
	"time"
)

// Options configure the emulator. The zero value is a service without delays.
type Options struct {
	// BootTime is the time from switching a machine on to power_on being true, and the duration of a reimage.
	// With 0, the next request sees the machine on.
	BootTime time.Duration
	// ShutdownTime is how long a guest takes to react to the powerdown signal.
	ShutdownTime time.Duration
	// CopyTime is how long a migration, a backup or a restore of a disc takes.
	CopyTime time.Duration
	// DescribeAfter is how long a new machine cannot be described: single reads answer 202, lists omit it.
	DescribeAfter time.Duration
	// UnknownFor is how long a new machine is not found: reads answer 404, lists omit it. Its name is taken.
	UnknownFor time.Duration
	// Latency is added to every answer.
	Latency time.Duration
	// Vendor is the vendor in media types. Default "example".
	Vendor string
	// FirstID is the number after which ids are assigned. Default 1000.
	FirstID int64

	// PendingRaises accepts more cores or memory and another hardware profile on a running machine; reads report
	// them after the next power cycle. Without it they are refused.
	PendingRaises bool
	// Strict refuses memory that is not offered, and a creation without cores or memory.
	Strict bool
	// IDsWin resolves a path element that is both a name and an id to the id. By default the name wins.
	IDsWin bool
	// DottedGroups accepts dots in the names of groups.
	DottedGroups bool
	// LowerCaseLabels stores the labels of discs in lower case.
	LowerCaseLabels bool
	// ImageWhileOff images a machine that is created off at once, not at its first start.
	ImageWhileOff bool
	// ConcurrentCreateFails answers 500 to a vm_create that arrives while another one is running in its group.
	ConcurrentCreateFails bool
	// IgnorePowerdown makes every guest ignore the powerdown signal.
	IgnorePowerdown bool
	// Capacity is the number of machines that can be on at the same time; 0 is unlimited.
	Capacity int
	// RateLimit is the number of requests per second; further ones are answered with 429. 0 is unlimited.
	RateLimit int

	// Answers chooses among the forms of answers that clients must accept.
	Answers Answers

	// NoJournal disables the journal.
	NoJournal bool
	// JournalSize bounds the journal to the last requests. 0 is unbounded.
	JournalSize int
	// Now is the clock. Default time.Now.
	Now func() time.Time
	// Log receives one line per request: time, method, path and status; never a body, header or query.
	Log io.Writer
	// Commit is called after a request that may have changed the world, before its answer is sent.
	// When it fails, the answer is a 500.
	Commit func() error
}

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
