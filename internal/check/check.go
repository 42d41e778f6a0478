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
	"github.com/cloudserver/terraform-provider-cloudserver/internal/command"
)

// Options are the settings of a check.
type Options struct {
	Client         cloudserver.Config
	Account, Group string
	Machine        string        // name of a machine to take through its life; "" checks with reads alone
	JSON           bool          // print the report as JSON
	Wait           time.Duration // for each step of the machine's life
	// Progress shows which call is made and waited for; nil: nothing does.
	Progress *command.Progress
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

// prober makes calls with the provider's own client, and keeps the last answer as received.
type prober struct {
	options Options
	client  *cloudserver.Client
	report  *report
	last    *cloudserver.Observation
	wrote   *cloudserver.Observation // the first answer to a write; a read may follow it

	accountNames, groupNames named
	taken                    map[string]bool // names in the group, including those of soft-deleted machines
}

// observe records an answer.
func (p *prober) observe(o cloudserver.Observation) {
	p.last = &o
	if p.wrote == nil && o.Method != http.MethodGet {
		p.wrote = &o
	}
}

// found returns the objects of the last answer. The bool is false if the answer is anything but objects.
func (p *prober) found() ([]map[string]any, bool) {
	var value any
	if p.last == nil || json.Unmarshal(p.last.Body, &value) != nil {
		return nil, false
	}
	return objects(value)
}

// errorOf drops the decoded result of a call: the answer is inspected as received.
func errorOf[T any](_ T, err error) error { return err }

// want is a call and its expected result.
type want struct {
	call, expected string
	breaks         string // what does not work without it
	minor          bool   // the provider can do without
}

// call makes one call and adds a line about it. inspect compares a successful answer with what is wanted. A write that
// was carried out, but whose answer does not say so (API.md §1.6), is Differs.
func (p *prober) call(w want, do func() error, inspect func(*Line)) (Result, error) {
	if p.report.interrupted {
		return Interrupted, context.Canceled
	}
	return p.attempt(w, do, inspect)
}

// attempt does the same as call, even after an interrupt.
func (p *prober) attempt(w want, do func() error, inspect func(*Line)) (Result, error) {
	p.last, p.wrote = nil, nil
	if p.options.Progress != nil {
		p.options.Progress.Step("Checking " + cloudserver.Shown(w.call))
	}
	err := do()
	line := Line{Call: w.call, Expected: w.expected, Result: OK}
	switch {
	case err == nil:
		inspect(&line)
	case p.wrote != nil && cloudserver.IsMisunderstood(err):
		line.worsen(Differs, "the provider has to check each time whether the call was carried out, which takes more requests")
		inspect(&line)
		line.Notes = append(line.Notes, err.Error())
	case p.report.reason != "":
		line.Result, line.Got = Skipped, fmt.Sprintf("status %d, a mistake in the arguments", cloudserver.StatusCode(err))
	case errors.Is(err, context.Canceled):
		line.Result, line.Got = Interrupted, "interrupted"
	case isStray(err):
		line.worsen(Missing, "the machine of the check cannot be reached safely")
		line.Got = err.Error()
	case isUnknown(err), isLost(w.call, err):
		line.worsen(Missing, "it could not be found out whether the call was carried out. Run the check again")
		line.Got = err.Error()
	case cloudserver.StatusCode(err) != 0:
		line.worsen(Missing, w.breaks)
		line.Got, line.Notes = fmt.Sprintf("status %d", cloudserver.StatusCode(err)), []string{err.Error()}
	default:
		line.worsen(Missing, w.breaks)
		line.Got = err.Error()
	}
	if line.Result == Missing && w.minor {
		line.Result = Differs
	}
	if p.options.Progress != nil {
		p.options.Progress.End()
	}
	p.report.add(line)
	return line.Result, err
}

// isUnknown reports whether err is that of a creation whose outcome could not be determined.
func isUnknown(err error) bool {
	ambiguous, ok := errors.AsType[*cloudserver.AmbiguousError](err)
	return ok && ambiguous.LookErr != nil
}

// isLost reports whether a write was not answered by the service itself, which may have carried it out.
func isLost(call string, err error) bool {
	return !strings.HasPrefix(call, http.MethodGet) && cloudserver.IsAmbiguous(err) &&
		cloudserver.StatusCode(err) != http.StatusInternalServerError
}

// skip adds a line for a call that could not be made.
func (p *prober) skip(w want, why string) {
	if !p.report.interrupted {
		p.report.add(Line{Call: w.call, Expected: w.expected, Result: Skipped, Got: why})
	}
}

// shaped returns an inspection that compares the answer with a shape, and notes a content type that is not JSON.
func (p *prober) shaped(s shape) func(*Line) {
	return func(l *Line) {
		found, ok := p.found()
		if !ok {
			l.worsen(Missing)
			l.Got = "an answer that is not an object or an array of objects"
			return
		}
		s.compare(found, l)
		if kind := p.last.Header.Get("Content-Type"); kind != "" && !strings.Contains(kind, "json") {
			l.Notes = append(l.Notes, "the content type is "+kind)
		}
	}
}
