package check

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
	"time"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/cloudserver"
)

// Options are what a check needs to know.
type Options struct {
	Client         cloudserver.Config
	Account, Group string
	Machine        string        // name of a machine to take through its life; "" checks with reads alone
	JSON           bool          // print the report as JSON
	Wait           time.Duration // for each step of the machine's life
}

// Run makes the checks and prints the report. It returns the exit status: 0 if
// the service has what the provider needs, 1 if something is missing, 2 if the
// service cannot be reached or does not permit it, and 130 if the check was
// interrupted.
func Run(ctx context.Context, options Options, out io.Writer) (int, error) {
	p := &prober{options: options, report: &report{out: out, lines: []Line{}}, taken: map[string]bool{}}
	if options.JSON {
		p.report.out = nil
	}
	config := options.Client
	config.MaxRetries, config.Observe = new(1), p.observe
	var err error
	if p.client, err = cloudserver.New(config); err != nil {
		return exitUnusable, fmt.Errorf("the configuration cannot be used: %w", err)
	}
	if p.usable(ctx) {
		p.reads(ctx)
		if options.Machine != "" && p.report.reason == "" && !p.report.interrupted {
			p.life(ctx)
		}
	}
	if options.JSON {
		return p.report.exit(), p.report.writeJSON(out)
	}
	if p.report.err == nil {
		_, p.report.err = fmt.Fprintf(out, "\n%s\n", p.report.summary())
	}
	return p.report.exit(), p.report.err
}

// prober makes calls with the provider's own client, and keeps the last answer
// as it came.
type prober struct {
	options Options
	client  *cloudserver.Client
	report  *report
	last    *cloudserver.Observation
	wrote   *cloudserver.Observation // the first answer to a write; a look-up may follow it
	taken   map[string]bool          // names in the group, those of soft-deleted machines included
}

// observe keeps an answer.
func (p *prober) observe(o cloudserver.Observation) {
	p.last = &o
	if p.wrote == nil && o.Method != http.MethodGet {
		p.wrote = &o
	}
}

// found returns the objects of the last answer, and reports whether it has no others.
func (p *prober) found() ([]map[string]any, bool) {
	var value any
	if p.last == nil || json.Unmarshal(p.last.Body, &value) != nil {
		return nil, false
	}
	return objects(value)
}

// only drops what a call returns: the answer is looked at as it came.
func only[T any](_ T, err error) error { return err }

// want is a call and what should come of it.
type want struct {
	call, expected string
	breaks         string // what does not work without it
	minor          bool   // the provider has another way
}

// call makes one call and adds a line about it. Inspect compares the answer, which
// is a success, with what is wanted. A write that is answered with another success than
// API.md promises differs, if it is done.
func (p *prober) call(w want, do func() error, inspect func(*Line)) (Result, error) {
	if p.report.interrupted {
		return Interrupted, context.Canceled
	}
	return p.attempt(w, do, inspect)
}

// attempt is call, also after an interrupt.
func (p *prober) attempt(w want, do func() error, inspect func(*Line)) (Result, error) {
	p.last, p.wrote = nil, nil
	err := do()
	line := Line{Call: w.call, Expected: w.expected, Result: OK}
	switch {
	case err == nil:
		inspect(&line)
	case p.wrote != nil && cloudserver.IsMisunderstood(err):
		line.worsen(Differs, "the provider looks whether it is done each time, which takes further requests")
		inspect(&line)
		line.Notes = append(line.Notes, err.Error())
	case errors.Is(err, context.Canceled):
		line.Result, line.Came = Interrupted, "interrupted"
	case isUnknown(err):
		line.worsen(Missing, "nothing can be said of it: whether the call was carried out could not be found out. Run the check again")
		line.Came = err.Error()
	case cloudserver.StatusCode(err) != 0:
		line.worsen(Missing, w.breaks)
		line.Came, line.Notes = fmt.Sprintf("status %d", cloudserver.StatusCode(err)), []string{err.Error()}
	default:
		line.worsen(Missing, w.breaks)
		line.Came = err.Error()
	}
	if line.Result == Missing && w.minor {
		line.Result = Differs
	}
	p.report.add(line)
	return line.Result, err
}

// isUnknown reports a creation of which it could not be found out whether it was carried out.
func isUnknown(err error) bool {
	ambiguous, ok := errors.AsType[*cloudserver.AmbiguousError](err)
	return ok && ambiguous.LookErr != nil
}

// skip adds a line for a call that could not be made.
func (p *prober) skip(w want, why string) {
	if !p.report.interrupted {
		p.report.add(Line{Call: w.call, Expected: w.expected, Result: Skipped, Came: why})
	}
}

// shaped compares the answer with a shape, and notes one that does not say that it
// is JSON.
func (p *prober) shaped(s shape) func(*Line) {
	return func(l *Line) {
		found, ok := p.found()
		if !ok {
			l.worsen(Missing)
			l.Came = "an answer that is not an object or an array of objects"
			return
		}
		s.compare(found, l)
		if kind := p.last.Header.Get("Content-Type"); kind != "" && !strings.Contains(kind, "json") {
			l.Notes = append(l.Notes, "the content type is "+kind)
		}
	}
}
