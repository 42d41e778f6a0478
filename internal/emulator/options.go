package emulator

import (
	"context"
	"io"
	"time"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/emulator/shape"
)

// Options configure the emulator. The zero value is a service without delays.
type Options struct {
	// BootTime is the time from switching a machine on to power_on being true, and the duration of a reimage.
	// With 0, the next request sees the machine on.
	BootTime time.Duration
	// ShutdownTime is how long a guest takes to react to the powerdown signal.
	ShutdownTime time.Duration
	// Guests gives new machines addresses in GuestIPv4, so that package guest can let them answer, GuestBoot after power comes.
	Guests    bool
	GuestBoot time.Duration
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
	Answers shape.Answers

	// NoJournal disables the journal.
	NoJournal bool
	// JournalBytes bounds the memory of the journal: the oldest requests are dropped. 0 is unbounded.
	JournalBytes int
	// Now is the clock. Default time.Now.
	Now func() time.Time
	// Log receives one line per request: time, method, path and status; never a body, header or query.
	Log io.Writer

	// Alone calls work while no other process works on the same world. What others have changed is there before, and what
	// work changed is kept, or undone, before Alone returns. Nil: nobody else works on it, and nothing is kept.
	Alone func(ctx context.Context, work func()) error
	// Faults are armed from the start, and act in this process alone. Their counts are part of the state where they have a Key.
	Faults []Fault
	// ReadFault reads a fault of a world: its Name is the same text in full. Nil: worlds have no faults.
	ReadFault func(text string) (Fault, error)
	// Open serves requests without credentials too, as those of a user who sees every account, and accepts every login.
	Open bool
}
