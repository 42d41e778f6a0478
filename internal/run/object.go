package run

import (
	"net/netip"
	"strconv"
)

// Kind is a kind of object of the service, as messages name it.
type Kind string

// The kinds of objects that resources manage, and discs.
const (
	VirtualMachine Kind = "virtual machine"
	Group          Kind = "group"
	Disc           Kind = "disc"
	BackupSchedule Kind = "backup schedule"
	ReverseName    Kind = "reverse DNS name of"
	IPAddress      Kind = "address"
)

// Object is one object of the service: its kind, and its ID or address.
type Object struct {
	Kind Kind
	ID   string
}

// ObjectWithID returns the object of a kind that has a numeric ID.
func ObjectWithID(kind Kind, id int64) Object { return Object{kind, strconv.FormatInt(id, 10)} }

// NameOf returns the reverse DNS name of an address as an object.
func NameOf(address netip.Addr) Object { return Object{ReverseName, address.String()} }

// String names the object in messages, for example "virtual machine 5".
func (o Object) String() string { return string(o.Kind) + " " + o.ID }
