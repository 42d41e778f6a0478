// Package variants lists services that use the freedoms which API.md leaves. Tests
// run clients against all of them.
package variants

import (
	"fmt"
	"net/http"
	"slices"
	"strings"
	"time"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/emulator"
)

// Variant is a service that uses a freedom which API.md leaves. Clients must work with every one.
type Variant struct {
	Name    string
	Options emulator.Options
}

// All returns the variants, the plain service first.
func All() []Variant {
	answers := func(name string, a emulator.Answers) Variant { return Variant{name, emulator.Options{Answers: a}} }
	return []Variant{
		{"plain", emulator.Options{}},
		answers("empty objects", emulator.Answers{Writes: emulator.WriteEmptyObject}),
		answers("no bodies", emulator.Answers{Writes: emulator.WriteNothing}),
		answers("no content", emulator.Answers{Writes: emulator.WriteNothing, WriteStatus: http.StatusNoContent}),
		answers("accepted", emulator.Answers{Writes: emulator.WriteEmptyObject, WriteStatus: http.StatusAccepted}),
		answers("plain JSON without types", emulator.Answers{PlainJSON: true}),
		{"another vendor", emulator.Options{Vendor: "some-other.vendor"}},
		answers("nulls absent", emulator.Answers{OmitNulls: true}),
		answers("nulls present", emulator.Answers{Nulls: true}),
		answers("deletions answered with 200", emulator.Answers{Deletes: true}),
		answers("content types with a charset", emulator.Answers{Charset: true}),
		answers("lists in the reverse order", emulator.Answers{Reversed: true}),
		answers("ids as texts", emulator.Answers{TextIDs: true}),
		answers("long addresses", emulator.Answers{LongAddresses: true}),
		answers("times as RFC 3339", emulator.Answers{ISOTimes: true}),
		answers("times as RFC 3339, no bodies", emulator.Answers{ISOTimes: true, Writes: emulator.WriteNothing}),
		answers("few definitions", emulator.Answers{FewDefinitions: true}),
		answers("extra fields", emulator.Answers{ExtraFields: true}),
		answers("single objects", emulator.Answers{SingleObject: true}),
		answers("object shapes", emulator.Answers{ObjectShapes: true}),
		answers("odd definitions", emulator.Answers{OddDefinitions: true}),
		answers("ip key, IPv6 management", emulator.Answers{IPKey: true, IPv6Management: true}),
		answers("problems as texts", emulator.Answers{Problems: emulator.ProblemTexts}),
		answers("problems in plain text", emulator.Answers{Problems: emulator.ProblemPlain}),
		answers("login refused with 401", emulator.Answers{LoginRefusal: http.StatusUnauthorized}),
		{"pending raises", emulator.Options{PendingRaises: true}},
		{"202 after creation", emulator.Options{BootTime: time.Second, DescribeAfter: time.Second}},
		{"404 after creation", emulator.Options{BootTime: time.Second, UnknownFor: time.Second}},
		{"concurrent creations fail", emulator.Options{ConcurrentCreateFails: true, Latency: 5 * time.Millisecond}},
		{"ids win", emulator.Options{IDsWin: true}},
		{"dotted groups", emulator.Options{DottedGroups: true}},
		{"labels in lower case", emulator.Options{LowerCaseLabels: true}},
		{"imaged while off", emulator.Options{ImageWhileOff: true}},
		{"strict", emulator.Options{Strict: true}},
		{"large ids", emulator.Options{FirstID: 1 << 53}},
		{"slow guests and copies", emulator.Options{ShutdownTime: 2 * time.Second, CopyTime: 2 * time.Second}},
		{"guests ignore powerdown", emulator.Options{IgnorePowerdown: true}},
		{"rate limit", emulator.Options{RateLimit: 20}},
		{"everything at once", emulator.Options{
			BootTime: time.Second, DescribeAfter: 500 * time.Millisecond, UnknownFor: 250 * time.Millisecond,
			ShutdownTime: time.Second, CopyTime: time.Second, FirstID: 1 << 53,
			Vendor: "x-1", PendingRaises: true, IDsWin: true, DottedGroups: true, LowerCaseLabels: true, ConcurrentCreateFails: true,
			Answers: emulator.Answers{
				Writes: emulator.WriteNothing, OmitNulls: true, ExtraFields: true, SingleObject: true, ObjectShapes: true,
				OddDefinitions: true, IPKey: true, IPv6Management: true, Reversed: true, TextIDs: true, LongAddresses: true, ISOTimes: true,
				Charset: true, Deletes: true, Problems: emulator.ProblemTexts, LoginRefusal: http.StatusUnauthorized,
			},
		}},
	}
}

// Named returns the variant of a name. The error for another one lists the names.
func Named(name string) (Variant, error) {
	all := All()
	if n := slices.IndexFunc(all, func(v Variant) bool { return v.Name == name }); n >= 0 {
		return all[n], nil
	}
	var names []string
	for _, variant := range all {
		names = append(names, variant.Name)
	}
	return Variant{}, fmt.Errorf("there is no variant %q of the service; the variants are: %s", name, strings.Join(names, "; "))
}
