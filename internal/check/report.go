package check

import (
	"encoding/json"
	"fmt"
	"io"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/cloudserver"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/command"
)

// Result is the outcome of a call compared with what was expected.
type Result string

// The results, from best to worst. The provider can work around what Differs, but not what is Missing. Interrupted says
// nothing about the service.
const (
	OK          Result = "OK"
	Skipped     Result = "skipped"
	Interrupted Result = "stopped"
	Differs     Result = "differs"
	Missing     Result = "missing"
)

// Line is one call in the report.
type Line struct {
	Call     string   `json:"call"`
	Expected string   `json:"expected"`
	Result   Result   `json:"result"`
	Got      string   `json:"got"`
	Breaks   []string `json:"breaks,omitempty"` // what will not work
	Notes    []string `json:"notes,omitempty"`  // for information
}

// worsen sets the result, unless it is Missing already, and adds what will not work.
func (l *Line) worsen(result Result, breaks ...string) {
	if l.Result != Missing {
		l.Result = result
	}
	l.Breaks = append(l.Breaks, breaks...)
}

// String returns the line as text for people.
func (l Line) String() string {
	text := fmt.Sprintf("%-8s %s\n         expected: %s\n         got:      %s\n", l.Result, l.Call, l.Expected, l.Got)
	for _, breaks := range l.Breaks {
		text += "         breaks:   " + breaks + "\n"
	}
	for _, note := range l.Notes {
		text += "         note:     " + note + "\n"
	}
	return text
}

// report collects the lines of a run.
type report struct {
	out         io.Writer // nil for JSON, which is written at the end
	err         error     // of the first line that could not be written
	lines       []Line
	reason      string // why the service cannot be used at all; "" if it can
	interrupted bool
}

// shown returns text of the client and the service for people: without secrets, and in the words of a command.
func shown(text string) string { return cloudserver.Shown(command.InVariables(text)) }

// add adds a line. Text of the service is made safe to show here, and nowhere else.
func (r *report) add(l Line) {
	l.Call, l.Got = cloudserver.Shown(l.Call), shown(l.Got)
	for _, texts := range [][]string{l.Breaks, l.Notes} {
		for i := range texts {
			texts[i] = shown(texts[i])
		}
	}
	r.interrupted = r.interrupted || l.Result == Interrupted
	r.lines = append(r.lines, l)
	if r.out != nil && r.err == nil {
		_, r.err = io.WriteString(r.out, l.String())
	}
}

func (r *report) count(result Result) int {
	n := 0
	for _, l := range r.lines {
		if l.Result == result {
			n++
		}
	}
	return n
}

// The exit statuses of the command.
const (
	exitOK       = 0
	exitMissing  = 1 // something that the provider needs is missing
	exitUnusable = 2 // not reachable, or not permitted

	exitInterrupted = 130 // as a shell reports an interrupted program
)

func (r *report) exit() int {
	switch {
	case r.interrupted:
		return exitInterrupted
	case r.reason != "":
		return exitUnusable
	case r.count(Missing) > 0:
		return exitMissing
	}
	return exitOK
}

// summary returns the last line for people.
func (r *report) summary() string {
	counts := fmt.Sprintf("%d OK, %d differ, %d missing, %d skipped", r.count(OK), r.count(Differs), r.count(Missing), r.count(Skipped))
	switch r.exit() {
	case exitInterrupted:
		return "The check was interrupted, so it says nothing about the service as a whole: " + counts + "."
	case exitUnusable:
		return shown(r.reason)
	case exitMissing:
		return "This is not the service that the provider needs: " + counts + "."
	}
	if r.count(Differs) > 0 {
		return "The provider can use this service, with the differences above: " + counts + "."
	}
	return "This is the service that the provider needs: " + counts + "."
}

func (r *report) writeJSON(out io.Writer) error {
	encoder := json.NewEncoder(out)
	encoder.SetIndent("", "  ")
	if err := encoder.Encode(struct {
		Status  int    `json:"exit_status"`
		Summary string `json:"summary"`
		Lines   []Line `json:"lines"`
	}{r.exit(), r.summary(), r.lines}); err != nil {
		return fmt.Errorf("writing the report: %w", err)
	}
	return nil
}
