package emulator

import (
	"net/http"
	"time"
)

// Variant is a service that uses a freedom which API.md leaves. Clients must work with every one.
type Variant struct {
	Name    string
	Options Options
}

// Variants returns the variants, the plain service first.
func Variants() []Variant {
	answers := func(name string, a Answers) Variant { return Variant{name, Options{Answers: a}} }
	return []Variant{
		{"plain", Options{}},
		answers("empty objects", Answers{Writes: WriteEmptyObject}),
		answers("no bodies", Answers{Writes: WriteNothing}),
		answers("no content", Answers{Writes: WriteNothing, WriteStatus: http.StatusNoContent}),
		answers("accepted", Answers{Writes: WriteEmptyObject, WriteStatus: http.StatusAccepted}),
		answers("plain JSON without types", Answers{PlainJSON: true}),
		{"another vendor", Options{Vendor: "some-other.vendor"}},
		answers("nulls absent", Answers{OmitNulls: true}),
		answers("extra fields", Answers{ExtraFields: true}),
		answers("single objects", Answers{SingleObject: true}),
		answers("object shapes", Answers{ObjectShapes: true}),
		answers("odd definitions", Answers{OddDefinitions: true}),
		answers("ip key, IPv6 management", Answers{IPKey: true, IPv6Management: true}),
		answers("problems as texts", Answers{Problems: ProblemTexts}),
		answers("problems in plain text", Answers{Problems: ProblemPlain}),
		answers("login refused with 401", Answers{LoginRefusal: http.StatusUnauthorized}),
		{"pending raises", Options{PendingRaises: true}},
		{"202 after creation", Options{BootTime: time.Second, DescribeAfter: time.Second}},
		{"404 after creation", Options{BootTime: time.Second, UnknownFor: time.Second}},
		{"concurrent creations fail", Options{ConcurrentCreateFails: true, Latency: 5 * time.Millisecond}},
		{"ids win", Options{IDsWin: true}},
		{"dotted groups", Options{DottedGroups: true}},
		{"labels in lower case", Options{LowerCaseLabels: true}},
		{"imaged while off", Options{ImageWhileOff: true}},
		{"strict", Options{Strict: true}},
		{"everything at once", Options{
			BootTime: time.Second, DescribeAfter: 500 * time.Millisecond, UnknownFor: 250 * time.Millisecond,
			Vendor: "x-1", PendingRaises: true, IDsWin: true, DottedGroups: true, LowerCaseLabels: true, ConcurrentCreateFails: true,
			Answers: Answers{
				Writes: WriteNothing, OmitNulls: true, ExtraFields: true, SingleObject: true, ObjectShapes: true,
				OddDefinitions: true, IPKey: true, IPv6Management: true, Problems: ProblemTexts, LoginRefusal: http.StatusUnauthorized,
			},
		}},
	}
}
