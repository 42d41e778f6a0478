package emulator

import (
	"errors"
	"mime"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"time"
)

// handler answers one call of the service.
type handler func(*call) (answer, error)

// route is one row of the API's tables.
type route struct {
	method  string
	pattern []string
	handle  handler
	open    bool // requires no session
	exact   bool // the body always has its documented form
}

// call is a request as passed to its handler, which holds the lock.
type call struct {
	*http.Request
	store     *store
	now       time.Time
	path      map[string]string // values of the route's {names}
	form      form              // the body of a POST or PUT
	user      *User             // nil if there is no valid session
	contested bool              // a vm_create while another one runs in its group

	reached Reached
}

// Beginnings of routes.
const (
	inAccount = "/accounts/{account}"
	inGroup   = inAccount + "/groups/{group}"
	inMachine = inGroup + "/virtual_machines/{vm}"
	inDisc    = inMachine + "/discs/{disc}"
	inBackup  = inDisc + "/backups/{backup}"
	createVM  = inGroup + "/vm_create"
)

// routes returns the calls in the order of API.md.
func routes() []route {
	var table []route
	on := func(method, pattern string, handle handler) *route {
		table = append(table, route{method: method, pattern: strings.Split(pattern, "/"), handle: handle})
		return &table[len(table)-1]
	}
	// §2
	login := on("POST", "/session", createSession)
	login.open, login.exact = true, true
	on("GET", "/session/{id}", showSession).open = true
	// §3
	on("POST", createVM, createMachine).exact = true
	on("GET", inMachine, showMachine)
	on("GET", "/virtual_machines/{id}", showMachine)
	on("GET", inGroup+"/virtual_machines", listMachines)
	on("GET", "/virtual_machines", listAllMachines)
	on("PUT", inMachine, updateMachine)
	on("DELETE", inMachine, deleteMachine)
	on("POST", inMachine+"/signal", signalMachine)
	on("POST", inMachine+"/reimage", reimageMachine)
	// §4
	on("GET", inMachine+"/discs", listDiscs)
	on("GET", inDisc, showDisc)
	on("GET", "/discs/{disc_id}", showDisc)
	on("POST", inMachine+"/discs", createDisc)
	on("PUT", inDisc, updateDisc)
	on("DELETE", inDisc, purgeDisc)
	on("POST", inDisc+"/backup_schedules", createSchedule)
	on("DELETE", inDisc+"/backup_schedules/{schedule}", deleteSchedule)
	on("GET", inDisc+"/backups", listBackups)
	on("POST", inDisc+"/backups", createBackup)
	on("PUT", inBackup, restoreBackup)
	on("DELETE", inBackup, purgeBackup)
	// §5
	on("GET", "/accounts", listAccounts)
	on("GET", inAccount, showAccount)
	on("GET", inAccount+"/groups", listGroups)
	on("GET", inGroup, showGroup)
	on("POST", inAccount+"/groups", createGroup)
	on("PUT", inGroup, updateGroup)
	on("DELETE", inGroup, deleteGroup)
	on("GET", "/ips/{address}", showAddress)
	on("PUT", "/ips/{address}", updateAddress)
	// §6
	on("GET", "/definitions", showDefinitions).open = true
	return table
}

// Routes returns the calls of the service, each as a method and a path with {names} in it.
func Routes() []string {
	var list []string
	for _, r := range routes() {
		list = append(list, r.method+" "+strings.Join(r.pattern, "/"))
	}
	return list
}

// serve answers a request as the service.
func (e *Emulator) serve(r *http.Request, body []byte, contested bool) outcome {
	result, reached, err := e.locked(r, body, contested)
	if refused, ok := errors.AsType[*refusal](err); ok {
		result = refused.answer
	} else if err != nil {
		result = plain(http.StatusInternalServerError, "%v", err)
	}
	sent := e.encode(result)
	sent.reached = reached
	sent.reached.Done = err == nil
	return sent
}

// locked does the work of a request. The answer shares nothing with the store, so that it can be encoded without the
// lock.
func (e *Emulator) locked(r *http.Request, body []byte, contested bool) (answer, Reached, error) {
	changed := r.Method != http.MethodGet
	defer func() {
		if changed {
			e.changed()
		}
	}()
	e.mu.Lock()
	defer e.mu.Unlock()
	c := &call{Request: r, store: e.store, now: e.now(), contested: contested}
	if changed = e.store.runDue(c.now) || changed; changed {
		e.changes++
	}
	result, err := e.dispatch(c, body)
	c.recordEvents()
	return result, c.reached, err
}

// dispatch checks what all calls have in common, and calls the handler.
func (e *Emulator) dispatch(c *call, body []byte) (answer, error) {
	route, err := e.find(c)
	if err != nil {
		return answer{}, err
	}
	c.user = c.store.authenticate(c.Header.Get("Authorization"), c.now)
	if c.user == nil && c.store.options.Open {
		c.user = &User{} // sees every account
	}
	if c.user == nil && !route.open {
		return answer{}, refuse(http.StatusUnauthorized, "no valid session")
	}
	if c.Method == http.MethodPost || c.Method == http.MethodPut {
		if err := c.checkMedia(); err != nil {
			return answer{}, err
		}
		if c.form, err = parseForm(body); err != nil && route.login() {
			return answer{}, badlyFormed()
		} else if err != nil {
			return answer{}, err
		}
	}
	result, err := route.handle(c)
	if err == nil && result.status == http.StatusNoContent && c.store.options.Answers.Deletes {
		result = answer{http.StatusOK, "", struct{}{}}
	}
	if err == nil && c.form.values != nil && !route.exact {
		result = written(c.store.options.Answers, result)
	}
	return result, err
}

// login reports whether a route is the login, which has its own refusals.
func (r route) login() bool { return r.open && r.method == http.MethodPost }

// find returns the route of a call and sets c.path.
func (e *Emulator) find(c *call) (route, error) {
	exists := false
	for _, candidate := range e.table {
		values, ok := match(candidate.pattern, c.URL)
		if !ok {
			continue
		}
		if candidate.method == c.Method {
			c.path = values
			return candidate, nil
		}
		exists = true
	}
	if exists {
		return route{}, refuse(http.StatusMethodNotAllowed, "method not allowed")
	}
	return route{}, refuse(http.StatusNotFound, "no such path")
}

// match compares a path, segment by segment and unescaped, with a pattern.
func match(pattern []string, address *url.URL) (map[string]string, bool) {
	segments := strings.Split(address.EscapedPath(), "/")
	if len(segments) != len(pattern) {
		return nil, false
	}
	values := map[string]string{}
	for i, segment := range segments {
		value, err := url.PathUnescape(segment)
		if err != nil {
			return nil, false
		}
		name, variable := strings.CutPrefix(pattern[i], "{")
		if !variable && value != pattern[i] {
			return nil, false
		}
		values[strings.TrimSuffix(name, "}")] = value
	}
	return values, true
}

// checkMedia refuses a body that is not JSON, and a request for an answer that is not JSON (API.md §1).
func (c *call) checkMedia() error {
	if kind, _, err := mime.ParseMediaType(c.Header.Get("Content-Type")); err != nil || kind != "application/json" {
		return refuse(http.StatusUnsupportedMediaType, "send application/json")
	}
	accept := c.Header.Get("Accept")
	wanted := []string{"", "*/*", "application/json"}
	if c.URL.Path == "/session" {
		wanted = []string{"", "*/*", "text/plain"}
	}
	if !slices.ContainsFunc(strings.Split(accept, ","), func(part string) bool {
		kind, _, _ := strings.Cut(strings.TrimSpace(part), ";")
		return slices.Contains(wanted, kind)
	}) {
		return refuse(http.StatusNotAcceptable, "cannot answer in %q", accept)
	}
	return nil
}

// flag reads a boolean of the query.
func (c *call) flag(name string) bool { return c.URL.Query().Get(name) == "true" }

// overview reports whether nested objects are wanted.
func (c *call) overview() bool { return c.URL.Query().Get("view") == "overview" }

// writes reports whether the call changes something.
func (c *call) writes() bool { return c.Method != http.MethodGet }
