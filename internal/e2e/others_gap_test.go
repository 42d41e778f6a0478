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

// gap is a moment between two requests at which somebody else takes a step.
type gap struct {
	process int           // before this process begins (from 1); 0: at a request
	at      target        // before this request
	first   *fault        // if set, the request has this fault, and the gap comes after it
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
	if g.first != nil {
		text += fmt.Sprintf(", %s, %d later", g.first.name, g.later)
	}
	if g.wait > 0 {
		text += fmt.Sprint(", after ", g.wait)
	}
	return text
}

// gate is the connection to the service. It takes the step when a request reaches the gap.
type gate struct {
	service http.RoundTripper
	gap     gap
	step    func()

	mu     sync.Mutex
	seen   int // requests of the gap's call
	passed int // requests since the one with the fault, including it; 0: it has not been sent yet
	taken  bool
}

// RoundTrip implements http.RoundTripper.
func (g *gate) RoundTrip(r *http.Request) (*http.Response, error) {
	step, failing := g.pass(r)
	if step != nil {
		step()
	}
	g.mu.Lock()
	to := g.service
	g.mu.Unlock()
	if failing {
		return g.gap.first.act(to, r)
	}
	return to.RoundTrip(r)
}

// pass returns the step if it is to be taken now, and reports whether the request has the fault.
func (g *gate) pass(r *http.Request) (now func(), failing bool) {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.taken || g.step == nil || g.gap.process > 0 {
		return nil, false
	}
	if g.passed > 0 {
		g.passed++
		if g.taken = g.passed > g.gap.later; g.taken {
			return g.step, false
		}
		return nil, false
	}
	if callOf(r) == g.gap.at.call {
		g.seen++
	}
	if callOf(r) != g.gap.at.call || g.seen != g.gap.at.nth {
		return nil, false
	}
	switch {
	case g.gap.first != nil:
		g.passed = 1
		return nil, true
	case g.gap.wait > 0:
		g.taken = true
		time.AfterFunc(g.gap.wait, g.step)
		return nil, false
	}
	g.taken = true
	return g.step, false
}

// begins is called when a process starts. It takes the step if the gap is before that process.
func (g *gate) begins(process int) {
	g.mu.Lock()
	step := g.step
	if g.taken || g.gap.process != process {
		step = nil
	}
	g.taken = g.taken || step != nil
	g.mu.Unlock()
	if step != nil {
		step()
	}
}

// arm sets the step and its gap.
func (g *gate) arm(at gap, step func()) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.gap, g.step = at, step
}

// disarm removes the step.
func (g *gate) disarm() {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.step = nil
}

// lead sends all further requests to another service.
func (g *gate) lead(to http.RoundTripper) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.service = to
}
