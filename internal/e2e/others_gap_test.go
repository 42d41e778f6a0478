package e2e_test

import (
	"fmt"
	"math/rand/v2"
	"net/http"
	"slices"
	"strings"
	"sync"
	"time"
)

// span is the duration of a fault.
type span int

const (
	once     span = iota // that request alone
	thisCall             // that request, and every further one of the same call
	allCalls             // that request, and everything after it
)

func (s span) String() string { return [...]string{"once", "this call", "all calls"}[s] }

// gap is the place of a disturbance: a request that fails, or a moment between two requests at which somebody else
// takes a step.
type gap struct {
	process int           // before this process begins (from 1); 0: at a request
	at      target        // before this request
	first   *fault        // if set, the request has this fault, and the gap comes after it
	span    span          // how long the fault lasts
	later   int           // number of the request, counted from the one with the fault, before which the gap is (from 1)
	wait    time.Duration // if set, the gap comes this long after the request, not before it
}

// gapKind is a way to find gaps among the requests of a healthy run.
type gapKind struct {
	name string
	find func(requests []string) []gap
}

// gapKinds returns all kinds of gaps. To add a kind, add a row. drawGaps draws further gaps at random.
func gapKinds() []gapKind {
	return []gapKind{
		{"before a process", func([]string) []gap { return []gap{{process: 1}, {process: 2}} }},
		{"before a request, and twice during each wait", func(requests []string) (gaps []gap) {
			for _, at := range targets(requests) {
				gaps = append(gaps, gap{at: at})
			}
			return gaps
		}},
		{"in the middle of a wait", func(requests []string) (gaps []gap) {
			for _, at := range middles(requests) {
				gaps = append(gaps, gap{at: at})
			}
			return gaps
		}},
		{"before the repetition of what was refused", func(requests []string) (gaps []gap) {
			for _, at := range writes(requests) {
				gaps = append(gaps, gap{at: at, first: faultNamed("503"), later: 1})
			}
			return gaps
		}},
		{"after a creation whose answer is lost", func(requests []string) (gaps []gap) {
			for _, at := range writes(requests) {
				if strings.HasSuffix(at.call, "/vm_create") || strings.HasSuffix(at.call, "/groups") {
					gaps = append(gaps, gap{at: at, first: faultNamed("reset after"), later: 1})
				}
			}
			return gaps
		}},
		{"after the last request", func(requests []string) []gap {
			last := requests[len(requests)-1]
			return []gap{{at: target{last, count(requests, last)}, wait: 10 * time.Second}} // during the wait for a guest
		}},
	}
}

// firsts returns the names of the faults that a request may have before the step.
func firsts() []string {
	return []string{"reset before", "reset after", "500", "500 after", "502 HTML", "502 HTML after", "503", "429", "401", "403", "404", "time-out after", "empty body"}
}

// drawGaps draws gaps that come some requests after a lost answer or a refusal.
func drawGaps(random *rand.Rand, requests []string, number int) (gaps []gap) {
	all := targets(requests)
	for range number {
		gaps = append(gaps, gap{
			at: all[random.IntN(len(all))], first: faultNamed(firsts()[random.IntN(len(firsts()))]), later: 1 + random.IntN(5),
		})
	}
	return gaps
}

func faultNamed(name string) *fault {
	all := faults()
	return &all[slices.IndexFunc(all, func(f fault) bool { return f.name == name })]
}

// writes returns the requests that change something.
func writes(requests []string) (all []target) {
	for _, at := range targets(requests) {
		if !strings.HasPrefix(at.call, "GET ") && at.call != logIn {
			all = append(all, at)
		}
	}
	return all
}

// middles returns the middle request of each series of equal requests, which a wait sends.
func middles(requests []string) (all []target) {
	row := 0 // start of the series
	for at := range requests {
		if at+1 < len(requests) && requests[at+1] == requests[row] {
			continue
		}
		if length := at + 1 - row; length > 4 {
			middle := row + length/2
			all = append(all, target{requests[middle], count(requests[:middle+1], requests[middle])})
		}
		row = at + 1
	}
	return all
}

func count(requests []string, call string) (n int) {
	for _, request := range requests {
		if request == call {
			n++
		}
	}
	return n
}

const logIn = "POST /session"

func (g gap) String() string {
	if g.process > 0 {
		return fmt.Sprint("process ", g.process)
	}
	text := fmt.Sprintf("%s %d", g.at.call, g.at.nth)
	if g.first != nil && g.later == 0 {
		text += fmt.Sprintf(", %s, %s", g.first.name, g.span)
	} else if g.first != nil {
		text += fmt.Sprintf(", %s, %d later", g.first.name, g.later)
	}
	if g.wait > 0 {
		text += fmt.Sprint(", after ", g.wait)
	}
	return text
}

// target is a request: the n-th one of a call, so that a different number of polls in between does not move the fault
// or the step to another call.
type target struct {
	call string // such as "GET /definitions", with its query
	nth  int    // from 1
}

// callOf returns the call of a request in the form of target.
func callOf(r *http.Request) string {
	call := r.Method + " " + r.URL.Path
	if r.URL.RawQuery != "" {
		call += "?" + r.URL.RawQuery
	}
	return call
}

// wire is the connection from a provider to the service. When a request reaches the gap, the wire lets it fail, or
// takes the step.
type wire struct {
	service http.RoundTripper

	mu     sync.Mutex
	gap    gap
	step   func()   // nil: nobody does anything
	armed  bool     // a fault or a step is to come
	seen   int      // requests of the gap's call
	passed int      // requests since the one with the fault, including it; 0: it has not been sent yet
	taken  bool     // the step
	failed int      // requests that had the fault
	strays []string // requests that left for another host
}

// RoundTrip implements http.RoundTripper.
func (w *wire) RoundTrip(r *http.Request) (*http.Response, error) {
	step, failing := w.pass(r)
	if step != nil {
		step()
	}
	w.mu.Lock()
	to := w.service
	w.mu.Unlock()
	if failing {
		return w.gap.first.act(to, r)
	}
	return to.RoundTrip(r)
}

// pass returns the step if it is to be taken now, and reports whether the request has the fault.
func (w *wire) pass(r *http.Request) (now func(), failing bool) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if r.URL.Host != serviceHost {
		w.strays = append(w.strays, r.Method+" "+r.URL.Host)
	}
	if !w.armed || w.gap.process > 0 {
		return nil, false
	}
	call := callOf(r)
	if call == w.gap.at.call {
		w.seen++
	}
	reached := call == w.gap.at.call && w.seen == w.gap.at.nth
	if w.gap.first == nil {
		return w.reach(reached), false
	}
	switch {
	case reached && w.passed == 0:
		w.passed, failing = 1, true
	case w.passed > 0:
		w.passed++
		failing = w.gap.span == allCalls || w.gap.span == thisCall && call == w.gap.at.call
		if w.step != nil && !w.taken && w.passed > w.gap.later {
			w.taken, now = true, w.step
		}
	}
	if failing {
		w.failed++
	}
	return now, failing
}

// reach returns the step if the gap without a fault is reached, at once or after a while.
func (w *wire) reach(reached bool) (now func()) {
	if !reached || w.taken || w.step == nil {
		return nil
	}
	w.taken = true
	if w.gap.wait > 0 {
		time.AfterFunc(w.gap.wait, w.step)
		return nil
	}
	return w.step
}

// begins is called when a process starts. It takes the step if the gap is before that process.
func (w *wire) begins(process int) {
	w.mu.Lock()
	step := w.step
	if w.taken || w.gap.process != process {
		step = nil
	}
	w.taken = w.taken || step != nil
	w.mu.Unlock()
	if step != nil {
		step()
	}
}

// arm sets the gap, with its fault, and the step.
func (w *wire) arm(at gap, step func()) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.gap, w.step, w.armed = at, step, true
}

// disarm removes the fault and the step, and returns how many requests had the fault.
func (w *wire) disarm() (failed int) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.step, w.armed = nil, false
	return w.failed
}

// lead sends all further requests to another service.
func (w *wire) lead(to http.RoundTripper) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.service = to
}
