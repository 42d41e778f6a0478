package console

import (
	"cmp"
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/emulator"
)

// How many requests the page looks at, and how much of each it shows.
const (
	consideredRequests = 2000
	shownRows          = 40
	shownReads         = 8    // of those folded into one row
	shownBody          = 2000 // characters
)

// shownRequest is a request on the page. Its number never changes.
type shownRequest struct {
	entry
	Number int
	Text   string // body
	Fault  string // name of the fault that acted on it
}

// newShownRequest returns a request as it is shown on the page.
func newShownRequest(r emulator.Request, number int) shownRequest {
	return shownRequest{entry: newEntry(r), Number: number, Fault: r.Fault}
}

// withBody returns the request with its body as text.
func (r shownRequest) withBody() shownRequest {
	if r.Body == nil {
		return r
	}
	// A body that was decoded can be encoded.
	text, _ := json.MarshalIndent(r.Body, "", "  ")
	if compact, _ := json.Marshal(r.Body); len(compact) < 100 {
		text = compact
	}
	r.Text = visibleLines(string(text))
	if runes := []rune(r.Text); len(runes) > shownBody {
		r.Text = string(runes[:shownBody]) + "…"
	}
	return r
}

// Writes reports whether the request may change something.
func (r shownRequest) Writes() bool { return r.Method != http.MethodGet && r.Method != http.MethodHead }

// Class returns the kind of the answer, for its colour.
func (r shownRequest) Class() string {
	switch {
	case r.Status == 0 || r.Status >= http.StatusInternalServerError:
		return "bad"
	case r.Status >= http.StatusBadRequest:
		return "warn"
	}
	return "fine"
}

// trouble returns what went wrong with a request, or "". A read that finds nothing is fine: that is how a client learns
// that a name is free.
func (r shownRequest) trouble() string {
	fault := ""
	if r.Fault != "" {
		fault = ", by the fault " + r.Fault
	}
	undone := ""
	if r.Writes() && r.Reached.Done && (r.Status == 0 || r.Status >= http.StatusBadRequest) {
		undone = ", but was done"
	}
	what := r.asked()
	switch {
	case r.Status == 0 && r.Fault == "" && !r.Writes():
		return "" // the client has gone away
	case r.Status == 0:
		return what + " not answered" + undone + fault
	case r.Status >= http.StatusBadRequest && (r.Writes() || r.Status != http.StatusNotFound):
		return fmt.Sprintf(
			"%s refused%s: %s (%d)%s", what, undone, cmp.Or(r.Reason, http.StatusText(r.Status)), r.Status, fault,
		)
	case r.Fault != "":
		return what + " met the fault " + r.Fault
	}
	return ""
}

// asked describes what a request asked for.
func (r shownRequest) asked() string {
	last := r.Path[strings.LastIndexByte(r.Path, '/')+1:]
	switch {
	case !r.Writes():
		return "read"
	case last == "vm_create":
		return "creation"
	case last == "session":
		return "login"
	case last == "signal", last == "reimage":
		return last
	case r.Method == http.MethodDelete:
		return "deletion"
	case r.Method == http.MethodPost:
		return "addition"
	}
	return "change"
}

// machine returns the name of the machine that a request reached or that its path names, or "".
func (r shownRequest) machine(f fleet) string {
	if name := f.names[r.Reached.Machine]; name != "" {
		return name
	}
	_, rest, _ := strings.Cut(r.Path, "/virtual_machines/")
	meant, _, _ := strings.Cut(rest, "/")
	if id, err := strconv.ParseInt(meant, 10, 64); err == nil {
		return cmp.Or(f.names[id], meant)
	}
	return meant
}

// requestLog is the list of requests that the page looks at, oldest first.
type requestLog struct {
	all       []shownRequest
	byMachine map[int64][]shownRequest
	byEvent   map[int64]shownRequest
}

// newRequestLog numbers the last requests; total is the number of all.
func newRequestLog(requests []emulator.Request, total int) requestLog {
	log := requestLog{byMachine: map[int64][]shownRequest{}, byEvent: map[int64]shownRequest{}}
	for n, request := range requests {
		r := newShownRequest(request, total-len(requests)+n)
		log.all = append(log.all, r)
		if r.Reached.Machine != 0 {
			log.byMachine[r.Reached.Machine] = append(log.byMachine[r.Reached.Machine], r)
		}
		if r.Reached.Event != 0 {
			log.byEvent[r.Reached.Event] = r
		}
	}
	return log
}

// text returns the text that a search looks at.
func (r shownRequest) text(f fleet) string {
	return strings.ToLower(
		strings.Join([]string{r.Method, r.Path, strconv.Itoa(r.Status), r.Reason, r.machine(f), r.Fault}, " "),
	)
}

// wanted reports whether the request matches a filter.
func (r shownRequest) wanted(f fleet, by filter) bool {
	if by.Show == "faults" && r.Fault == "" {
		return false
	}
	if is := by.state(); is != "" && f.states[r.Reached.Machine] != is {
		return false
	}
	return by.found(r.text(f))
}

// Line returns the body in one line.
func (r shownRequest) Line() string { return strings.Join(strings.Fields(r.Text), " ") }

// requestRow is a request that writes or that failed, or the reads between two such requests.
type requestRow struct {
	shownRequest
	Machine string         // its name, or ""
	Reads   []shownRequest // the last of them, newest first; empty if the row is a single request
	Count   int            // number of reads
	From    time.Time
}

// rows returns the requests that match a filter, newest first, with reads folded.
func (log requestLog) rows(f fleet, by filter) []requestRow {
	var rows []requestRow
	for _, r := range slices.Backward(log.all) {
		if !r.wanted(f, by) {
			continue
		}
		if r.Writes() || r.trouble() != "" {
			if len(rows) == shownRows {
				break
			}
			rows = append(rows, requestRow{shownRequest: r.withBody(), Machine: r.machine(f)})
			continue
		}
		if len(rows) == 0 || rows[len(rows)-1].Count == 0 {
			if len(rows) == shownRows {
				break
			}
			rows = append(rows, requestRow{shownRequest: r})
		}
		last := &rows[len(rows)-1]
		last.Number, last.Count, last.From = r.Number, last.Count+1, r.Time
		if len(last.Reads) < shownReads {
			last.Reads = append(last.Reads, r)
		}
	}
	return rows
}
