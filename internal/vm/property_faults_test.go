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

// disturbance is a fault of the requests of one run.
type disturbance struct {
	emulator.Fault
	name     string
	inPlan   bool // during refresh and plan; otherwise during the apply
	harmless bool // the run succeeds if the client repeats what may be repeated
}

// drawDisturbance draws a fault of the plan or of the apply.
func (l *life) drawDisturbance() *disturbance {
	if chance(l.rng, 4) {
		return l.drawPlanDisturbance()
	}
	return l.drawApplyDisturbance()
}

func isGet(r emulator.Request) bool { return r.Method == http.MethodGet }

// drawApplyDisturbance draws a fault of the requests that change something. Faults whose answer is not a lie may affect
// all requests.
func (l *life) drawApplyDisturbance() *disturbance {
	f := disturbance{Fault: emulator.Fault{
		Match: func(r emulator.Request) bool { return !isGet(r) },
		Skip:  l.rng.IntN(8), Times: pick(l.rng, 1, 1, 1, 2, 6, 0), AfterEffect: chance(l.rng, 2),
	}}
	kind := pick(l.rng, "status", "status", "slow down", "refused", "cut", "delay", "truncated", "odd", "page")
	switch kind {
	case "status":
		f.Status, f.Body = pick(l.rng, 500, 502, 503, 504), "broken for the test"
	case "slow down": // after this status, nothing was done
		f.Status, f.Body, f.AfterEffect = 429, "slow down", false
	case "refused":
		f.Status, f.Body, f.AfterEffect = pick(l.rng, 403, 404, 400), "refused for the test", false
	case "cut":
		f.Cut = true
	case "delay":
		f.Delay = pick(l.rng, 10*time.Second, time.Minute, 5*time.Minute)
	case "truncated":
		f.Truncate, f.AfterEffect = 1, false
	case "odd":
		f.Rewrite = answerOddJSON
	case "page":
		f.Rewrite = answerPage
	}
	if kind != "refused" && kind != "page" && chance(l.rng, 4) {
		f.Match, f.Skip = nil, l.rng.IntN(20)
	}
	f.name = fmt.Sprintf("%s, status %d, skip %d, times %d, after %t, delay %s, all %t", kind, f.Status, f.Skip, f.Times, f.AfterEffect, f.Delay, f.Match == nil)
	return &f
}

func answerOddJSON(status int, header http.Header, _ []byte) (int, http.Header, []byte) {
	return status, header, []byte(`{"id":{"a":1},"virtual_machine":[3]}`)
}

var singleRead = regexp.MustCompile(`^/virtual_machines/\d+$`)

// addOneToIDs answers for the machine with the next ID, as a broken cache might.
func addOneToIDs(status int, header http.Header, body []byte) (int, http.Header, []byte) {
	return status, header, ownID.ReplaceAllFunc(body, func(id []byte) []byte {
		n, _ := strconv.Atoi(string(id[len(`"id":`):]))
		return fmt.Appendf(nil, `"id":%d`, n+1)
	})
}

var ownID = regexp.MustCompile(`"id":\d+`)

func answerPage(int, http.Header, []byte) (int, http.Header, []byte) {
	return http.StatusOK, http.Header{"Content-Type": {"text/html"}}, []byte("<html>maintenance")
}

// drawPlanDisturbance draws a fault of refresh and plan. If there are 404s, every request is answered with 404: for
// single requests, a 404 would be a lie that no client can detect.
func (l *life) drawPlanDisturbance() *disturbance {
	f := disturbance{inPlan: true, Fault: emulator.Fault{Match: isGet, Skip: l.rng.IntN(6), Times: pick(l.rng, 1, 1, 2, 0)}}
	kind := pick(l.rng, "cut", "status", "status", "truncated", "odd", "page", "404", "slow", "listings", "listings")
	if kind == "odd" && !chance(l.rng, 3) {
		kind = "another"
	}
	switch kind {
	case "another":
		f.Rewrite, f.Skip = addOneToIDs, 0
		f.Match = func(r emulator.Request) bool { return isGet(r) && singleRead.MatchString(r.Path) }
	case "cut":
		f.Cut, f.harmless = true, f.Times == 1
	case "status":
		f.Status, f.Body = pick(l.rng, 429, 500, 502, 503, 504, 403), "broken for the test"
		f.harmless = f.Times == 1 && f.Status != http.StatusForbidden
	case "truncated":
		f.Truncate = 1
	case "odd":
		f.Rewrite = answerOddJSON
	case "page":
		f.Rewrite = answerPage
	case "404":
		f.Status, f.Skip, f.Times = http.StatusNotFound, 0, 0
	case "slow":
		f.Delay = 20 * time.Second
	case "listings": // single reads replace them
		f.Status, f.Body, f.Skip, f.Times, f.harmless = 500, "too much", 0, 0, true
		f.Match = func(r emulator.Request) bool {
			return isGet(r) && strings.HasSuffix(r.Path, "/virtual_machines")
		}
	}
	f.name = fmt.Sprintf("in plan: %s, status %d, skip %d, times %d", kind, f.Status, f.Skip, f.Times)
	return &f
}
