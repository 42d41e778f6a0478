// SPDX-License-Identifier: MPL-2.0

package server

import (
	"bytes"
	_ "embed" // the page
	"encoding/json"
	"html/template"
	"net/http"
	"slices"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/emulator"
)

//go:embed page.html
var pageHTML string

// pageTemplate is parsed once, and panics in every test if it is wrong.
var pageTemplate = template.Must(template.New("page").Parse(pageHTML))

// shownRequests is how many requests the page shows.
const shownRequests = 50

// page shows the world, the last requests and the faults. It has no script, and reloads itself.
func (s *server) page(w http.ResponseWriter, r *http.Request) {
	var data struct {
		Host     string
		World    map[string]any
		Machines int
		Requests []emulator.Request
		Faults   []emulator.ArmedFault
	}
	var err error
	failed := s.emulator.Alone(r.Context(), func() {
		data.World, err = s.shownWorld()
		data.Host, data.Machines, data.Faults = r.Host, len(s.emulator.Machines()), s.emulator.Faults()
		journal := s.emulator.Journal()
		data.Requests = journal[max(0, len(journal)-shownRequests):]
		slices.Reverse(data.Requests)
	})
	var page bytes.Buffer
	if err == nil && failed == nil {
		err = pageTemplate.Execute(&page, data)
	}
	if failed != nil {
		err = failed
	}
	if err != nil {
		http.Error(w, err.Error(), http.StatusInternalServerError)
		return
	}
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	w.Header().Set("Cache-Control", "no-store")
	_, _ = w.Write(page.Bytes()) // the client may be gone
}

// shownWorld returns the world for a template.
func (s *server) shownWorld() (world map[string]any, err error) {
	decoder := json.NewDecoder(bytes.NewReader(s.emulator.Dump()))
	decoder.UseNumber() // shows all digits of IDs
	err = decoder.Decode(&world)
	return world, err
}
