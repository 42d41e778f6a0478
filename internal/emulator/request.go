// SPDX-License-Identifier: MPL-2.0

package emulator

import (
	"errors"
	"mime"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"
)

// handler answers one call of the service.
type handler func(*call) (answer, error)

// call is a request as passed to its handler, which holds the lock.
type call struct {
	*http.Request
	e     *Emulator
	world *world
	now   time.Time
	user  *User // nil if there is no valid session
	form  form  // the body of a POST or PUT

	// What the path names; nil if it names none.
	account *account
	group   *group
	machine *machine
	disc    *Disc
	backup  *Backup
	reached Reached
}

// Beginnings of routes.
const (
	inAccount = "/accounts/{account}"
	inGroup   = inAccount + "/groups/{group}"
	inMachine = inGroup + "/virtual_machines/{vm}"
	inDisc    = inMachine + "/discs/{disc}"
	inBackup  = inDisc + "/backups/{backup}"
)

// calls are the calls of the service in the order of API.md.
var calls = map[string]handler{
	// §2
	"POST /session":          createSession,
	"GET /session/{session}": showSession,
	// §3
	"POST " + inGroup + "/vm_create":       createMachine,
	"GET " + inMachine:                     showMachine,
	"GET /virtual_machines/{vm}":           showMachine,
	"GET " + inGroup + "/virtual_machines": listMachines,
	"GET /virtual_machines":                listAllMachines,
	"PUT " + inMachine:                     updateMachine,
	"DELETE " + inMachine:                  deleteMachine,
	"POST " + inMachine + "/signal":        signalMachine,
	"POST " + inMachine + "/reimage":       reimageMachine,
	// §4
	"GET " + inMachine + "/discs":                       listDiscs,
	"GET " + inDisc:                                     showDisc,
	"GET /discs/{disc}":                                 showDisc,
	"POST " + inMachine + "/discs":                      createDisc,
	"PUT " + inDisc:                                     updateDisc,
	"DELETE " + inDisc:                                  purgeDisc,
	"POST " + inDisc + "/backup_schedules":              createSchedule,
	"DELETE " + inDisc + "/backup_schedules/{schedule}": deleteSchedule,
	"GET " + inDisc + "/backups":                        listBackups,
	"POST " + inDisc + "/backups":                       createBackup,
	"PUT " + inBackup:                                   restoreBackup,
	"DELETE " + inBackup:                                purgeBackup,
	// §5
	"GET /accounts":                 listAccounts,
	"GET " + inAccount:              showAccount,
	"GET " + inAccount + "/groups":  listGroups,
	"GET " + inGroup:                showGroup,
	"POST " + inAccount + "/groups": createGroup,
	"PUT " + inGroup:                updateGroup,
	"DELETE " + inGroup:             deleteGroup,
	"GET /ips/{address}":            showAddress,
	"PUT /ips/{address}":            updateAddress,
	// §6
	"GET /definitions": showDefinitions,
}

// open are the calls that require no session.
var open = []string{"POST /session", "GET /session/{session}", "GET /definitions"}

// routes returns the handler of all calls, whose writer is a recorder.
func (e *Emulator) routes() *http.ServeMux {
	mux := http.NewServeMux()
	for pattern, handle := range calls {
		mux.HandleFunc(pattern, func(w http.ResponseWriter, r *http.Request) {
			if x, ok := w.(*recorder); ok {
				e.handle(x, r, handle)
			}
		})
	}
	return mux
}

// handle answers one call.
func (e *Emulator) handle(x *recorder, r *http.Request, handle handler) {
	e.mu.Lock()
	defer e.mu.Unlock()
	c := &call{Request: r, e: e, world: e.world, now: now()}
	if e.runDue(c.now) || c.writes() {
		e.changes++
	}
	result, err := c.dispatch(x.received, handle)
	if refused, ok := errors.AsType[*refusal](err); ok {
		result = refused.answer
	} else if err != nil {
		result = plain(http.StatusInternalServerError, "%v", err)
	}
	result.send(x)
	x.reached = c.reached
	x.reached.Done = err == nil
}

// dispatch checks what all calls have in common, and calls the handler.
func (c *call) dispatch(body []byte, handle handler) (answer, error) {
	c.user = &User{} // sees every account
	if !c.e.options.Open {
		c.user = c.e.authenticate(c.Header.Get("Authorization"), c.now)
	}
	if c.user == nil && !slices.Contains(open, c.Pattern) {
		return answer{}, refuse(http.StatusUnauthorized, "no valid session")
	}
	if c.Method == http.MethodPost || c.Method == http.MethodPut {
		if err := c.checkMedia(); err != nil {
			return answer{}, err
		}
		var err error
		if c.form, err = parseForm(body); err != nil && c.logsIn() {
			return answer{}, badlyFormed()
		} else if err != nil {
			return answer{}, err
		}
	}
	if err := c.find(); err != nil {
		return answer{}, err
	}
	return handle(c)
}

// find finds what the path names.
func (c *call) find() error {
	for _, element := range []struct {
		name string
		find func(key string) error
	}{
		{"account", c.findAccount},
		{"group", c.findGroup},
		{"vm", c.findMachine},
		{"disc", c.findDisc},
		{"backup", c.findBackup},
	} {
		if key := c.PathValue(element.name); key != "" {
			if err := element.find(key); err != nil {
				return err
			}
		}
	}
	return nil
}

// logsIn reports whether the call is the login, which has refusals and a media type of its own.
func (c *call) logsIn() bool { return c.URL.Path == "/session" }

// checkMedia refuses a body that is not JSON, and a request for an answer that is not JSON (API.md §1).
func (c *call) checkMedia() error {
	if kind, _, err := mime.ParseMediaType(c.Header.Get("Content-Type")); err != nil || kind != "application/json" {
		return refuse(http.StatusUnsupportedMediaType, "send application/json")
	}
	accept := c.Header.Get("Accept")
	wanted := []string{"", "*/*", "application/json"}
	if c.logsIn() {
		wanted = []string{"", "*/*", "text/plain"}
	}
	for part := range strings.SplitSeq(accept, ",") {
		kind, _, _ := strings.Cut(strings.TrimSpace(part), ";")
		if slices.Contains(wanted, kind) {
			return nil
		}
	}
	return refuse(http.StatusNotAcceptable, "cannot answer in %q", accept)
}

// flag reads a boolean of the query.
func (c *call) flag(name string) bool { return c.URL.Query().Get(name) == "true" }

// overview reports whether nested objects are wanted.
func (c *call) overview() bool { return c.URL.Query().Get("view") == "overview" }

// writes reports whether the call changes something.
func (c *call) writes() bool { return c.Method != http.MethodGet && c.Method != http.MethodHead }

// idOf returns the ID that a path element or a parameter may be. 0 is no ID.
func idOf(key string) int64 {
	id, _ := strconv.ParseInt(key, 10, 64) // 0 if it is not a number
	return id
}

// findIn returns the first element of a list that fits, or nil.
func findIn[T any](list []*T, fits func(*T) bool) *T {
	if n := slices.IndexFunc(list, fits); n >= 0 {
		return list[n]
	}
	return nil
}
