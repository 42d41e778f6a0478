package console

import (
	"encoding/json"
	"net/http"
	"time"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/emulator"
)

// entry is a request in the answer of GET /_emulator/journal. It has no secrets.
type entry struct {
	Time       time.Time `json:"time"`
	Method     string    `json:"method"`
	Path       string    `json:"path"`
	Query      string    `json:"query,omitempty"`
	Body       any       `json:"body,omitempty"`
	Status     int       `json:"status"`
	DurationMS float64   `json:"duration_ms"`
	Reason     string    `json:"reason,omitempty"`
}

func (d *desk) journal(w http.ResponseWriter, _ *http.Request) {
	list := []entry{}
	for _, r := range d.emulator.Journal() {
		list = append(list, newEntry(r))
	}
	answer(w, http.StatusOK, list)
}

func (d *desk) resetJournal(w http.ResponseWriter, _ *http.Request) {
	d.emulator.ResetJournal()
	w.WriteHeader(http.StatusNoContent)
}

func newEntry(r emulator.Request) entry {
	e := entry{
		Time: r.Time, Method: r.Method, Path: r.Path, Query: r.Query, Status: r.Status, Reason: r.Reason,
		DurationMS: float64(r.Duration.Microseconds()) / 1000,
	}
	var body any
	if len(r.Body) > 0 && json.Unmarshal(r.Body, &body) == nil {
		e.Body = withoutSecrets(body)
	}
	return e
}

// withoutSecrets replaces the values of secret attributes.
func withoutSecrets(value any) any {
	switch value := value.(type) {
	case []any:
		for n := range value {
			value[n] = withoutSecrets(value[n])
		}
	case map[string]any:
		for name, field := range value {
			switch name {
			case "password", "root_password", "firstboot_script", "yubikey", "2fa":
				value[name] = "…"
			default:
				value[name] = withoutSecrets(field)
			}
		}
	}
	return value
}
