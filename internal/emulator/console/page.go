package console

import (
	"bytes"
	"crypto/sha256"
	_ "embed" // the parts of the page
	"encoding/base64"
	"fmt"
	"html/template"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/emulator"
)

// shownRequests is how many requests the page shows.
const shownRequests = 50

//go:embed page.html
var pageHTML string

//go:embed page.css
var pageCSS string

//go:embed page.js
var pageJS string

// pageTemplate escapes every value; show replaces what could change the direction or the look of the text around it.
var pageTemplate = template.Must(template.New("page").Funcs(template.FuncMap{
	"show":   visible,
	"size":   megabytes,
	"left":   func(d time.Duration) string { return (d + time.Second - 1).Truncate(time.Second).String() },
	"took":   milliseconds,
	"clock":  func(t time.Time) string { return t.Format(time.TimeOnly) },
	"style":  func() template.CSS { return template.CSS(pageCSS) },
	"script": func() template.JS { return template.JS(pageJS) },
}).Parse(pageHTML))

// policy allows the page's own style and script and nothing else.
var policy = fmt.Sprintf("default-src 'none'; style-src '%s'; script-src '%s'; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
	digest(pageCSS), digest(pageJS))

// digest returns a part of the page as a content security policy names it.
func digest(part string) string {
	sum := sha256.Sum256([]byte(part))
	return "sha256-" + base64.StdEncoding.EncodeToString(sum[:])
}

// pageData is what the page shows.
type pageData struct {
	emulator.View
	Endpoint string
	Total    int
	On       int
	Tasks    []pageTask
	Faults   []armedFault
	Requests []emulator.Request
}

// pageTask is a task with its machine.
type pageTask struct {
	emulator.Task
	Hostname string
}

// page is GET / for browsers.
func (d *desk) page(w http.ResponseWriter, r *http.Request) {
	data := pageData{View: d.emulator.View(), Endpoint: "http://" + r.Host, Faults: d.faults()}
	for _, account := range data.Accounts {
		for _, group := range account.Groups {
			for _, machine := range group.Machines {
				data.count(machine)
			}
		}
	}
	data.Requests, _ = d.emulator.LastRequests(shownRequests)
	slices.Reverse(data.Requests)

	var b bytes.Buffer
	if err := pageTemplate.Execute(&b, data); err != nil {
		http.Error(w, "cannot show the page: "+err.Error(), http.StatusInternalServerError)
		return
	}
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	w.Header().Set("Content-Security-Policy", policy)
	w.Header().Set("Cache-Control", "no-store")
	w.Header().Set("Referrer-Policy", "no-referrer")
	// The client may be gone.
	_, _ = w.Write(b.Bytes())
}

// count adds a machine to the figures.
func (p *pageData) count(m emulator.MachineView) {
	p.Total++
	if m.PowerOn {
		p.On++
	}
	for _, task := range m.Tasks {
		p.Tasks = append(p.Tasks, pageTask{task, m.Hostname})
	}
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

// megabytes returns a size in the largest unit that is exact.
func megabytes(n int64) string {
	switch {
	case n > 0 && n%(1<<20) == 0:
		return strconv.FormatInt(n>>20, 10) + " TiB"
	case n > 0 && n%(1<<10) == 0:
		return strconv.FormatInt(n>>10, 10) + " GiB"
	}
	return strconv.FormatInt(n, 10) + " MiB"
}

// milliseconds returns a duration in milliseconds.
func milliseconds(d time.Duration) string {
	return strconv.FormatFloat(float64(d)/float64(time.Millisecond), 'f', 1, 64) + " ms"
}
