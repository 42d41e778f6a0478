package console

import (
	"bytes"
	"crypto/sha256"
	_ "embed" // the parts of the page
	"encoding/base64"
	"encoding/json"
	"fmt"
	"html/template"
	"net/http"
	"slices"
	"strings"
	"sync"
	"time"
	"unicode"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/emulator"
)

// What the page shows.
const (
	shownRequests = 100
	shownBody     = 2000 // characters
)

//go:embed page.html
var pageHTML string

//go:embed page.css
var pageCSS string

//go:embed page.js
var pageJS string

// pageTemplate escapes every value; show replaces what could change the direction or the look of the text around it.
// It is parsed on first use: every provider starts with this package in it.
var pageTemplate = sync.OnceValue(func() *template.Template {
	return template.Must(template.New("page").Funcs(template.FuncMap{
		"show":  visible,
		"size":  emulator.FormatSize,
		"left":  func(d time.Duration) string { return (d + time.Second - 1).Truncate(time.Second).String() },
		"clock": func(t time.Time) string { return t.UTC().Format(time.TimeOnly) },
		"day":   func(t time.Time) string { return t.UTC().Format(time.DateOnly) },
		"seconds": func(n int64) string {
			return strings.TrimSuffix(strings.TrimSuffix((time.Duration(min(n, 1<<32))*time.Second).String(), "0s"), "0m")
		},
		"kept": func(list []emulator.WorldMachine) (n int) { // those that are not deleted
			for _, m := range list {
				if !m.Deleted {
					n++
				}
			}
			return n
		},
		"event": func(name, machine, account string) (string, error) {
			body, err := json.Marshal(event{Event: name, VirtualMachine: machine, Account: account})
			return string(body), err
		},
		"style":  func() template.CSS { return template.CSS(pageCSS) },
		"script": func() template.JS { return template.JS(pageJS) },
	}).Parse(pageHTML))
})

// policy allows the page's own style and script and nothing else.
var policy = sync.OnceValue(func() string {
	return fmt.Sprintf("default-src 'none'; style-src '%s'; script-src '%s'; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
		digest(pageCSS), digest(pageJS))
})

// digest returns a part of the page as a content security policy names it.
func digest(part string) string {
	sum := sha256.Sum256([]byte(part))
	return "sha256-" + base64.StdEncoding.EncodeToString(sum[:])
}

// pageData is what the page shows.
type pageData struct {
	emulator.View
	Endpoint string
	Exports  string
	Sort     string // of the machines: name, or by id
	Events   []kindOfEvent
	Total    int // machines that are not deleted
	Deleted  int
	On       int
	Tasks    []pageTask
	Faults   []emulator.ArmedFault
	Requests []pageRequest
	Asked    int // requests so far
}

// pageRequest is a request, newest first. Its number stays the same.
type pageRequest struct {
	entry
	Number int
	Effect string // what it was about, unless it only read
	Text   string // its body
}

// pageTask is a task with its machine.
type pageTask struct {
	emulator.Task
	Hostname string
}

// page is GET / for browsers.
func (d *desk) page(w http.ResponseWriter, r *http.Request) {
	data := pageData{
		View: d.emulator.View(), Endpoint: "http://" + r.Host, Faults: d.emulator.Faults(), Events: kindsOfEvents(), Sort: r.URL.Query().Get("sort"),
	}
	data.Exports = exports(data.Endpoint, data.View)
	for _, account := range data.Accounts {
		for _, group := range account.Groups {
			if data.Sort == "name" {
				slices.SortFunc(group.Machines, func(a, b emulator.WorldMachine) int { return strings.Compare(a.Name, b.Name) })
			}
			for _, machine := range group.Machines {
				data.count(machine)
			}
		}
	}
	var requests []emulator.Request
	requests, data.Asked = d.emulator.LastRequests(shownRequests)
	for n, request := range slices.Backward(requests) {
		data.Requests = append(data.Requests, newPageRequest(request, data.Asked-len(requests)+n))
	}

	var b bytes.Buffer
	if err := pageTemplate().Execute(&b, data); err != nil {
		http.Error(w, "cannot show the page: "+err.Error(), http.StatusInternalServerError)
		return
	}
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	w.Header().Set("Content-Security-Policy", policy())
	w.Header().Set("Cache-Control", "no-store")
	w.Header().Set("Referrer-Policy", "no-referrer")
	// The client may be gone.
	_, _ = w.Write(b.Bytes())
}

// count adds a machine to the figures.
func (p *pageData) count(m emulator.WorldMachine) {
	if m.Deleted {
		p.Deleted++
		return
	}
	p.Total++
	if m.PowerOn {
		p.On++
	}
	for _, task := range m.Tasks {
		p.Tasks = append(p.Tasks, pageTask{task, m.Hostname})
	}
}

// newPageRequest returns a request as the page shows it.
func newPageRequest(r emulator.Request, number int) pageRequest {
	p := pageRequest{entry: newEntry(r), Number: number}
	if p.Body != nil {
		// A body that was decoded can be encoded.
		text, _ := json.MarshalIndent(p.Body, "", "  ")
		p.Text = visibleLines(string(text))
		if runes := []rune(p.Text); len(runes) > shownBody {
			p.Text = string(runes[:shownBody]) + "…"
		}
	}
	if r.Method != http.MethodGet && p.Reached.Machine != 0 {
		p.Effect = fmt.Sprintf("virtual machine %d", p.Reached.Machine)
		if p.Reached.Disc != 0 {
			p.Effect = fmt.Sprintf("disc %d of %s", p.Reached.Disc, p.Effect)
		}
		if !p.Reached.Done {
			p.Effect += " unchanged"
		}
	}
	return p
}

// visibleLines is visible, and keeps the ends of lines.
func visibleLines(text string) string {
	lines := strings.Split(text, "\n")
	for n := range lines {
		lines[n] = visible(lines[n])
	}
	return strings.Join(lines, "\n")
}

// visible replaces characters that are not printable, and those that change the direction of text.
func visible(value string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsGraphic(r) && !unicode.Is(unicode.Bidi_Control, r) && !unicode.Is(unicode.Cf, r) {
			return r
		}
		return unicode.ReplacementChar
	}, value)
}
