package e2e_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/emulator"
)

// echo is a service that, when asked to, refuses what is sent to it and says all
// of it again, headers included, in one of the ways of a careless service.
type echo struct {
	service http.Handler

	mu       sync.Mutex
	refuses  func(*http.Request) bool
	sessions []string // the ids that it gave, which are secret too
}

// ServeHTTP implements http.Handler.
func (e *echo) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(r.Body)
	if err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	r.Body = io.NopCloser(bytes.NewReader(body))
	e.mu.Lock()
	refused := e.refuses != nil && e.refuses(r)
	e.mu.Unlock()
	if refused {
		e.refuse(w, r, body)
		return
	}
	if r.Header.Get("Authorization") == "Bearer "+secrets["token"] {
		r.Header.Set("Authorization", "Bearer "+emulator.DemoAPIKey)
	}
	recorded := httptest.NewRecorder()
	e.service.ServeHTTP(recorded, r)
	if r.Method == http.MethodPost && r.URL.Path == "/session" && recorded.Code == http.StatusOK {
		e.mu.Lock()
		e.sessions = append(e.sessions, recorded.Body.String())
		e.mu.Unlock()
	}
	for name, values := range recorded.Header() {
		w.Header()[name] = values
	}
	w.WriteHeader(recorded.Code)
	// A client that is gone shows in the client.
	_, _ = w.Write(recorded.Body.Bytes())
}

// refuse echoes as JSON problems, or as a page, in turn by the method.
func (e *echo) refuse(w http.ResponseWriter, r *http.Request, body []byte) {
	text := r.Header.Get("Authorization") + " " + string(body)
	if r.Method == http.MethodPut {
		w.Header().Set("Content-Type", "text/html")
		w.WriteHeader(http.StatusBadRequest)
		_, _ = fmt.Fprintf(w, "<html><title>Bad</title><body>%s</body></html>", text)
		return
	}
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(http.StatusBadRequest)
	var sent any
	_ = json.Unmarshal(body, &sent) // what is no JSON is echoed as text alone
	_ = json.NewEncoder(w).Encode(map[string]any{"request": []string{text}, "reimage": sent, "errors": sent})
}

// refuseOnly chooses what is refused: "POST /vm_create" is by method and end of
// the path; "" is nothing.
func (e *echo) refuseOnly(call string) {
	method, end, _ := strings.Cut(call, " ")
	e.mu.Lock()
	defer e.mu.Unlock()
	e.refuses = func(r *http.Request) bool {
		return call != "" && r.Method == method && strings.HasSuffix(r.URL.Path, end)
	}
}

// given are the ids of the sessions so far.
func (e *echo) given() []string {
	e.mu.Lock()
	defer e.mu.Unlock()
	return slices.Clone(e.sessions)
}
