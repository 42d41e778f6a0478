package console

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"regexp"
	"slices"
	"strings"
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
	// Reached is what the path led to, and whether the service did what was asked.
	Reached emulator.Reached `json:"reached"`
}

// maxShownRequests is how many requests an answer shows. All are counted.
const maxShownRequests = 1000

// requests counts the requests of the journal that a query chooses.
func (d *desk) requests(r *http.Request) (any, error) {
	chosen, err := choose(r.URL.Query())
	if err != nil {
		return nil, err
	}
	count, list := 0, []entry{}
	kept := d.emulator.Journal()
	for _, request := range slices.Backward(kept) {
		if !chosen(request) {
			continue
		}
		if count++; len(list) < maxShownRequests {
			list = append(list, newEntry(request))
		}
	}
	slices.Reverse(list)
	_, total := d.emulator.LastRequests(0)
	return map[string]any{"count": count, "requests": list, "dropped": max(0, total-len(kept))}, nil
}

// choose returns whether a request is one that a query wants.
func choose(query url.Values) (func(emulator.Request) bool, error) {
	for name := range query {
		if !slices.Contains([]string{"method", "path", "status", "since"}, name) {
			return nil, fmt.Errorf("%s is none of method, path, status and since", name)
		}
	}
	var since time.Time
	if written := query.Get("since"); written != "" {
		var err error
		if since, err = time.Parse(time.RFC3339, written); err != nil {
			return nil, errors.New("since: send a time such as 2026-01-01T00:00:00Z")
		}
	}
	orAny := func(name string) string { return cmp.Or(query.Get(name), "*") }
	wanted, err := regexp.Compile("(?s)^" + glob(orAny("method")) + " " + glob(orAny("path")) + " " + glob(orAny("status")) + "$")
	return func(r emulator.Request) bool {
		return !r.Time.Before(since) && wanted.MatchString(fmt.Sprint(r.Method, " ", r.Path, " ", r.Status))
	}, err
}

func (d *desk) journal() []entry {
	list := []entry{}
	for _, r := range d.emulator.Journal() {
		list = append(list, newEntry(r))
	}
	return list
}

func newEntry(r emulator.Request) entry {
	e := entry{
		Time: r.Time, Method: r.Method, Path: r.Path, Query: r.Query, Status: r.Status, Reason: r.Reason,
		DurationMS: float64(r.Duration.Microseconds()) / 1000, Reached: r.Reached,
	}
	var body any
	if len(r.Body) > 0 && json.Unmarshal(r.Body, &body) == nil {
		e.Body = hidden
		if object, ok := body.(map[string]any); ok {
			e.Body = withoutSecrets(object)
		}
	}
	return e
}

// shown are the attributes whose values are in no way secret. What a client sends under any other name may be.
var shown = strings.Fields(`virtual_machine discs reimage ips backup_schedules name username validity cores memory
	hardware_profile hardware_profile_locked power_on autoreboot_on keymap cdrom_url zone_name group_id deleted
	label size storage_grade virtual_machine_id start_at interval_seconds capacity restore
	distribution ssh_public_key ipv4 ipv6 rdns signal`)

// withoutSecrets returns a body with the values of all attributes hidden that are not shown.
func withoutSecrets(value any) any {
	switch value := value.(type) {
	case []any:
		for n := range value {
			value[n] = withoutSecrets(value[n])
			if _, isText := value[n].(string); isText {
				value[n] = hidden // a list has objects in it
			}
		}
	case map[string]any:
		for name, field := range value {
			switch written, isText := field.(string); {
			case !slices.Contains(shown, name):
				value[name] = hidden
			case name == "cdrom_url" && isText:
				value[name] = withoutCredentials(written)
			default:
				value[name] = withoutSecrets(field)
			}
		}
	}
	return value
}

// hidden stands for what is not shown.
const hidden = "…"

// withoutCredentials returns a URL without user and query, which may let their reader in.
func withoutCredentials(written string) string {
	address, err := url.Parse(written)
	if err != nil {
		return hidden
	}
	if address.User != nil || address.RawQuery != "" || address.Fragment != "" || address.Opaque != "" {
		return (&url.URL{Scheme: address.Scheme, Host: address.Host, Path: address.Path}).String() + hidden
	}
	return written
}
