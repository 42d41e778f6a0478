package provider

import "strings"

// shortcuts are the ways in which this provider leaves the framework's, or the
// obvious one, because many machines are faster with them. They are all of them:
//
//	plan      plan_unchanged.go             answers the plans in which nothing changes
//	contexts  call_context.go               ends the contexts of the framework's calls, which have no loggers where nothing is logged
//	listings  cloudserver/listing_cache.go  decodes only the machines of a listing that have changed
//
// BENCHMARKS.md has what each of them saves. withoutVariable names those to leave
// out, to measure that, and to find out whether one of them is to blame for
// something.
type shortcuts struct{ plan, contexts, listings bool }

// withoutVariable is the variable of the environment that turns shortcuts off: a
// list with commas, or "all".
const withoutVariable = "CLOUDSERVER_WITHOUT"

// shortcutsWithout returns the shortcuts to take where the variable has the value.
func shortcutsWithout(list string) shortcuts {
	s := shortcuts{plan: true, contexts: true, listings: true}
	for name := range strings.SplitSeq(list, ",") {
		switch strings.TrimSpace(name) {
		case "plan":
			s.plan = false
		case "contexts":
			s.contexts = false
		case "listings":
			s.listings = false
		case "all":
			s = shortcuts{}
		}
	}
	return s
}
