package e2e_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"strings"
	"sync"
)

// echo is a service that, on demand, refuses a request and repeats all of it, including headers, in one of the ways of
// a careless service.
type echo struct {
	service http.Handler

	mu      sync.Mutex
	refused string          // "POST /vm_create" is by method and end of the path; "" is nothing
	tokens  map[string]bool // that were sent: sessions are secret too
}

// ServeHTTP implements http.Handler.
func (e *echo) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	token := strings.TrimPrefix(r.Header.Get("Authorization"), "Bearer ")
	e.mu.Lock()
	method, end, refuses := strings.Cut(e.refused, " ")
	if token != "" {
		e.tokens[token] = true
	}
	e.mu.Unlock()
	if !refuses || r.Method != method || !strings.HasSuffix(r.URL.Path, end) {
		e.service.ServeHTTP(w, r)
		return
	}
	body, err := io.ReadAll(r.Body)
	if err != nil {
		return // the client is gone
	}
	text := r.Header.Get("Authorization") + " " + string(body)
	if method == http.MethodPut {
		w.Header().Set("Content-Type", "text/html")
		w.WriteHeader(http.StatusBadRequest)
		_, _ = fmt.Fprintf(w, "<html><title>Bad</title><body>%s</body></html>", text)
		return
	}
	sent := json.RawMessage(bytes.TrimSpace(body))
	if !json.Valid(sent) {
		sent = nil
	}
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(http.StatusBadRequest)
	_ = json.NewEncoder(w).Encode(map[string]any{"request": []string{text}, "reimage": sent, "errors": sent})
}

func (e *echo) refuse(call string) {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.refused = call
}
