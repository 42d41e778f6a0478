// Package variants lists services that use the freedoms which API.md leaves. Tests run clients against all of them.
package variants

import (
	"fmt"
	"net/http"
	"slices"
	"strings"
	"time"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/emulator"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/emulator/shape"
)

// Variant is a service that uses one freedom which API.md leaves. Clients must work with every variant.
type Variant struct {
	Name    string
	Options emulator.Options
}

// All returns the variants, the plain service first.
func All() []Variant {
	answers := func(name string, a shape.Answers) Variant { return Variant{name, emulator.Options{Answers: a}} }
	return []Variant{
		{"plain", emulator.Options{}},
		answers("empty objects", shape.Answers{Writes: shape.WriteEmptyObject}),
		answers("no bodies", shape.Answers{Writes: shape.WriteNothing}),
		answers("no content", shape.Answers{Writes: shape.WriteNothing, WriteStatus: http.StatusNoContent}),
		answers("accepted", shape.Answers{Writes: shape.WriteEmptyObject, WriteStatus: http.StatusAccepted}),
		answers("plain JSON without types", shape.Answers{PlainJSON: true}),
		{"another vendor", emulator.Options{Vendor: "some-other.vendor"}},
		answers("nulls absent", shape.Answers{OmitNulls: true}),
		answers("nulls present", shape.Answers{Nulls: true}),
		answers("deletions answered with 200", shape.Answers{Deletes: true}),
		answers("content types with a charset", shape.Answers{Charset: true}),
		answers("lists in the reverse order", shape.Answers{Reversed: true}),
		answers("ids as texts", shape.Answers{TextIDs: true}),
		answers("long addresses", shape.Answers{LongAddresses: true}),
		answers("times as RFC 3339", shape.Answers{ISOTimes: true}),
		answers("times as RFC 3339, no bodies", shape.Answers{ISOTimes: true, Writes: shape.WriteNothing}),
		answers("few definitions", shape.Answers{FewDefinitions: true}),
		answers("extra fields", shape.Answers{ExtraFields: true}),
		answers("single objects", shape.Answers{SingleObject: true}),
		answers("object shapes", shape.Answers{ObjectShapes: true}),
		answers("odd definitions", shape.Answers{OddDefinitions: true}),
		answers("ip key, IPv6 management", shape.Answers{IPKey: true, IPv6Management: true}),
		answers("problems as texts", shape.Answers{Problems: shape.ProblemTexts}),
		answers("problems in plain text", shape.Answers{Problems: shape.ProblemPlain}),
		answers("login refused with 401", shape.Answers{LoginRefusal: http.StatusUnauthorized}),
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
			Answers: shape.Answers{
				Writes: shape.WriteNothing, OmitNulls: true, ExtraFields: true, SingleObject: true, ObjectShapes: true,
				OddDefinitions: true, IPKey: true, IPv6Management: true, Reversed: true, TextIDs: true,
				LongAddresses: true, ISOTimes: true,
				Charset: true, Deletes: true, Problems: shape.ProblemTexts, LoginRefusal: http.StatusUnauthorized,
			},
		}},
	}
}

// Named returns the variant with a name. Its error lists the names.
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
