package emulator

import (
	"context"
	"io"
	"time"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/emulator/shape"
)

// Options configure the emulator. The zero value is a service without delays.
type Options struct {
	// BootTime is the time from switching a machine on until power_on is true, and the duration of a reimage. With 0,
	// the machine is on in the next request.
	BootTime time.Duration
	// ShutdownTime is how long a guest takes to react to the powerdown signal.
	ShutdownTime time.Duration
	// Guests gives new machines addresses in GuestIPv4, so that package guest can serve their guests. They answer
	// GuestBoot after the machine is on.
	Guests    bool
	GuestBoot time.Duration
	// CopyTime is the duration of a migration, a backup or a restore of a disc.
	CopyTime time.Duration
	// DescribeAfter is how long a new machine cannot be described: reads of it answer 202, and lists omit it.
	DescribeAfter time.Duration
	// UnknownFor is how long a new machine is not found: reads answer 404, and lists omit it. Its name is taken.
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
	// Strict refuses an amount of memory that is not offered, and a creation without cores or memory.
	Strict bool
	// IDsWin resolves a path element that is both a name and an id to the id. By default the name wins.
	IDsWin bool
	// DottedGroups accepts dots in the names of groups.
	DottedGroups bool
	// LowerCaseLabels stores the labels of discs in lower case.
	LowerCaseLabels bool
	// ImageWhileOff installs the image of a machine that is created off at once, not at its first start.
	ImageWhileOff bool
	// ConcurrentCreateFails answers 500 to a vm_create that arrives while another one is running in its group.
	ConcurrentCreateFails bool
	// IgnorePowerdown makes every guest ignore the powerdown signal.
	IgnorePowerdown bool
	// Capacity is the number of machines that can be on at the same time; 0 is unlimited.
	Capacity int
	// RateLimit is the number of requests per second; further ones are answered with 429. 0 is unlimited.
	RateLimit int

	// Answers selects among the forms of answers that clients must accept.
	Answers shape.Answers

	// NoJournal disables the journal.
	NoJournal bool
	// JournalBytes limits the memory of the journal by dropping the oldest requests. 0 means no limit.
	JournalBytes int
	// Now is the clock. Default time.Now.
	Now func() time.Time
	// Log receives one line per request with time, method, path and status, but never a body, header or query.
	Log io.Writer

	// Alone calls work while no other process works on the same world. work sees all earlier changes, and its own are
	// saved, or undone, before Alone returns. nil means that nobody else works on the world, and nothing is saved.
	Alone func(ctx context.Context, work func()) error
	// Faults are armed from the start, and act in this process alone. Counts of those with a Key are part of the state.
	Faults []Fault
	// ReadFault parses a fault of a world; the Name of the result is the complete text. nil means that worlds have no
	// faults.
	ReadFault func(text string) (Fault, error)
	// Open serves requests without credentials like those of a user who sees every account, and accepts every login.
	Open bool
}
