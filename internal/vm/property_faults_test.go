package vm_test

import (
	"fmt"
	"net/http"
	"regexp"
	"strconv"
	"strings"
	"time"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/emulator"
)

// trouble is what goes wrong with the requests of a run, and when.
type trouble struct {
	emulator.Fault
	name     string
	inPlan   bool // while it refreshes and plans, otherwise while it applies
	harmless bool // a client that repeats what may be repeated gets through
}

// drawTrouble draws what goes wrong.
func (l *life) drawTrouble() *trouble {
	if chance(l.rng, 4) {
		return l.planTrouble()
	}
	return l.applyTrouble()
}

func isGet(r emulator.Request) bool { return r.Method == http.MethodGet }

// applyTrouble draws what goes wrong with the requests that change something, or,
// without a lie, with any.
func (l *life) applyTrouble() *trouble {
	f := trouble{Fault: emulator.Fault{
		Match: func(r emulator.Request) bool { return !isGet(r) },
		Skip:  l.rng.IntN(8), Times: one(l.rng, 1, 1, 1, 2, 6, 0), AfterEffect: chance(l.rng, 2),
	}}
	kind := one(l.rng, "status", "status", "slow down", "refused", "cut", "delay", "truncated", "odd", "page")
	switch kind {
	case "status":
		f.Status, f.Body = one(l.rng, 500, 502, 503, 504), "broken for the test"
	case "slow down": // this status says that nothing was done
		f.Status, f.Body, f.AfterEffect = 429, "slow down", false
	case "refused":
		f.Status, f.Body, f.AfterEffect = one(l.rng, 403, 404, 400), "refused for the test", false
	case "cut":
		f.Cut = true
	case "delay":
		f.Delay = one(l.rng, 10*time.Second, time.Minute, 5*time.Minute)
	case "truncated":
		f.Truncate, f.AfterEffect = 1, false
	case "odd":
		f.Rewrite = oddJSON
	case "page":
		f.Rewrite = page
	}
	if kind != "refused" && kind != "page" && chance(l.rng, 4) {
		f.Match, f.Skip = nil, l.rng.IntN(20)
	}
	f.name = fmt.Sprintf("%s, status %d, skip %d, times %d, after %t, delay %s, all %t", kind, f.Status, f.Skip, f.Times, f.AfterEffect, f.Delay, f.Match == nil)
	return &f
}

func oddJSON(status int, header http.Header, _ []byte) (int, http.Header, []byte) {
	return status, header, []byte(`{"id":{"a":1},"virtual_machine":[3]}`)
}

var singleRead = regexp.MustCompile(`^/virtual_machines/\d+$`)

// another answers for the machine with the next ID.
func another(status int, header http.Header, body []byte) (int, http.Header, []byte) {
	return status, header, ownID.ReplaceAllFunc(body, func(id []byte) []byte {
		n, _ := strconv.Atoi(string(id[len(`"id":`):]))
		return fmt.Appendf(nil, `"id":%d`, n+1)
	})
}

var ownID = regexp.MustCompile(`"id":\d+`)

func page(int, http.Header, []byte) (int, http.Header, []byte) {
	return http.StatusOK, http.Header{"Content-Type": {"text/html"}}, []byte("<html>maintenance")
}

// planTrouble draws what goes wrong while a run refreshes and plans. A 404 is said
// to every request: to some it would be a lie that has to be believed.
func (l *life) planTrouble() *trouble {
	f := trouble{inPlan: true, Fault: emulator.Fault{Match: isGet, Skip: l.rng.IntN(6), Times: one(l.rng, 1, 1, 2, 0)}}
	kind := one(l.rng, "cut", "status", "status", "truncated", "odd", "page", "404", "slow", "listings", "listings")
	if kind == "odd" && !chance(l.rng, 3) {
		kind = "another"
	}
	switch kind {
	case "another":
		f.Rewrite, f.Skip = another, 0
		f.Match = func(r emulator.Request) bool { return isGet(r) && singleRead.MatchString(r.Path) }
	case "cut":
		f.Cut, f.harmless = true, f.Times == 1
	case "status":
		f.Status, f.Body = one(l.rng, 429, 500, 502, 503, 504, 403), "broken for the test"
		f.harmless = f.Times == 1 && f.Status != http.StatusForbidden
	case "truncated":
		f.Truncate = 1
	case "odd":
		f.Rewrite = oddJSON
	case "page":
		f.Rewrite = page
	case "404":
		f.Status, f.Skip, f.Times = http.StatusNotFound, 0, 0
	case "slow":
		f.Delay = 20 * time.Second
	case "listings": // single reads do without them
		f.Status, f.Body, f.Skip, f.Times, f.harmless = 500, "too much", 0, 0, true
		f.Match = func(r emulator.Request) bool {
			return isGet(r) && strings.HasSuffix(r.Path, "/virtual_machines")
		}
	}
	f.name = fmt.Sprintf("in plan: %s, status %d, skip %d, times %d", kind, f.Status, f.Skip, f.Times)
	return &f
}
