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
	"strings"
	"sync"
	"time"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/emulator"
)

// The page answers two questions: what is down, and what has happened. The server renders it in full, with the filters
// of its query. Once a second page.js replaces the parts that differ.

//go:embed page.html
var pageHTML string

//go:embed page.css
var pageCSS string

//go:embed page.js
var pageJS string

// pageTemplate escapes every value. The function show also replaces characters that could change the direction or the
// look of the surrounding text. The template is parsed on first use, because this package is part of the provider,
// which starts often.
var pageTemplate = sync.OnceValue(func() *template.Template {
	return template.Must(template.New("page").Funcs(template.FuncMap{
		"show":    visible,
		"path":    pathParts,
		"size":    emulator.FormatSize,
		"spell":   spell,
		"clock":   func(t time.Time) string { return t.UTC().Format(time.TimeOnly) },
		"day":     func(t time.Time) string { return t.UTC().Format(time.DateOnly) },
		"number":  number,
		"acted":   acted,
		"words":   func(name string) string { return strings.ReplaceAll(name, "-", " ") },
		"plural":  plural,
		"cores":   func(n int64) string { return plural(int(n), "core") },
		"seconds": func(n int64) string { return spell(time.Duration(min(n, 1<<32)) * time.Second) },
		"event": func(name, machine, account string) (string, error) {
			body, err := json.Marshal(event{Event: name, VirtualMachine: machine, Account: account})
			return string(body), err
		},
		"style":  func() template.CSS { return template.CSS(pageCSS) },
		"script": func() template.JS { return template.JS(pageJS) },
	}).Parse(pageHTML))
})

// policy is a content security policy that allows only the page's own style and script.
var policy = sync.OnceValue(func() string {
	return fmt.Sprintf("default-src 'none'; style-src '%s'; script-src '%s'; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
		digest(pageCSS), digest(pageJS))
})

// digest returns the hash of a part of the page, in the format of a content security policy.
func digest(part string) string {
	sum := sha256.Sum256([]byte(part))
	return "sha256-" + base64.StdEncoding.EncodeToString(sum[:])
}

// pageData is the data of the page.
type pageData struct {
	emulator.View
	Endpoint string
	Exports  string
	Kinds    []kindOfEvent // that users can cause
	Filter   filter
	Tiles    []tile
	Fleet    fleet
	Rollout  *rolloutView // nil if there is none
	Faults   []emulator.ArmedFault
	Feed     feed
	Requests []requestRow
	Asked    int  // requests so far
	Shared   bool // other processes may work on this world
}

// Unused reports whether the emulator has not been used yet.
func (p pageData) Unused() bool {
	return p.Asked == 0 && p.Fleet.Total() == 0 && len(p.Feed.Latest) == 0
}

// page answers GET / for browsers.
func (d *desk) page(w http.ResponseWriter, r *http.Request) {
	var b bytes.Buffer
	if err := pageTemplate().Execute(&b, d.pageData(r)); err != nil {
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

// pageData returns the data for a request of the page.
func (d *desk) pageData(r *http.Request) pageData {
	p := pageData{
		View: d.emulator.View(), Endpoint: "http://" + r.Host, Kinds: kindsOfEvents(), Faults: d.emulator.Faults(),
		Shared: d.command.State != "", Filter: newFilter(r.URL.Query()),
	}
	p.Exports = exports(p.Endpoint, p.View)
	history := newHistory(d.emulator.Events(), p.Time)
	var requests []emulator.Request
	requests, p.Asked = d.emulator.LastRequests(consideredRequests)
	log := newRequestLog(requests, p.Asked)

	all := newFleet(p.View, history)
	p.Tiles = newTiles(all, len(p.Faults), p.Filter)
	p.Rollout = newRollout(all, history, p.Time)
	p.Fleet = all.chosen(p.Filter)
	p.Feed = newFeed(history, log, all, p.Filter)
	p.Requests = log.rows(all, p.Filter)
	return p
}
