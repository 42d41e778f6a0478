package console

import (
	"bytes"
	"errors"
	"io"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// TestState: a world continues where it stopped, with new IDs.
func TestState(t *testing.T) {
	t.Parallel()
	state := filepath.Join(t.TempDir(), "state.json")
	endpoint, _, stop := start(t, "--state", state, "--boot-time", "1h")
	get(t, newRequest(t, "POST", endpoint+create, web1))
	get(t, newRequest(t, "PUT", endpoint+machines+"/web1", `{"power_on":true}`))
	var before, after, next struct{ ID int64 }
	_, body := get(t, newRequest(t, "GET", endpoint+machines+"/web1", ""))
	decode(t, body, &before)
	get(t, newRequest(t, "DELETE", endpoint+machines+"/web1?purge=true", ""))
	get(t, newRequest(t, "POST", endpoint+create, web1))
	if err := stop(); err != nil {
		t.Fatal(err)
	}
	if info, err := os.Stat(state); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("%v, %v", info.Mode(), err)
	}
	if content, err := os.ReadFile(state); err != nil || bytes.Contains(content, []byte("correct horse")) {
		t.Errorf("%v: the state has a secret", err)
	}
	endpoint, _, _ = start(t, "--state", state)
	_, body = get(t, newRequest(t, "GET", endpoint+machines+"/web1", ""))
	decode(t, body, &after)
	_, body = get(t, newRequest(t, "POST", endpoint+"/accounts/demo/groups", `{"name":"more"}`))
	decode(t, body, &next)
	if after.ID <= before.ID || next.ID <= after.ID {
		t.Errorf("ids %d, %d, %d", before.ID, after.ID, next.ID)
	}
}

// TestUnwritableState: a change that cannot be saved is undone, and requests and the terminal report it. What was saved
// before is kept, including sessions.
func TestUnwritableState(t *testing.T) {
	t.Parallel()
	directory := filepath.Join(t.TempDir(), "state")
	state, inTheWay := filepath.Join(directory, "state.json"), filepath.Join(directory, ".state.json.emulator-new", "occupied")
	if err := os.Mkdir(directory, 0o700); err != nil {
		t.Fatal(err)
	}
	c := parseFlags(t, "--quiet", "--state", state)
	var complaints bytes.Buffer
	d, err := c.newDesk(t.Context(), &complaints)
	if err != nil {
		t.Fatal(err)
	}
	handler := d.server(t.Context(), io.Discard).Handler
	do := func(call, body, token string, status int, want string) string {
		t.Helper()
		method, path, _ := strings.Cut(call, " ")
		r := newRequest(t, method, "http://127.0.0.1"+path, body)
		r.RemoteAddr = "127.0.0.1:5"
		r.Header.Set("Authorization", "Bearer "+token)
		w := httptest.NewRecorder()
		handler.ServeHTTP(w, r)
		if w.Code != status || !strings.Contains(w.Body.String(), want) {
			t.Errorf("%s answered %d %s, want %d %s", call, w.Code, w.Body, status, want)
		}
		return w.Body.String()
	}
	do("POST "+create, web1, "apikey.demo", 202, "")
	session := do("POST /session", `{"username":"demo","password":"demo"}`, "", 200, "")
	if err := os.MkdirAll(inTheWay, 0o700); err != nil {
		t.Fatal(err)
	}
	const says = "the change was undone, because the world cannot be saved"
	do("POST "+create, strings.Replace(web1, "web1", "web2", 1), session, 500, says)
	do("DELETE "+machines+"/web1?purge=true", "", session, 500, says)
	do("GET "+machines, "", session, 200, "web1")
	do("POST /_emulator/reset", "", "", 500, says)
	if !strings.Contains(complaints.String(), says) {
		t.Errorf("the terminal shows %q", complaints.String())
	}
	if body := do("GET "+machines, "", "apikey.demo", 200, "web1"); strings.Contains(body, "web2") {
		t.Error(body)
	}
	if err := os.RemoveAll(directory); err != nil {
		t.Fatal(err)
	}
	complaints.Reset()
	do("GET "+machines, "", session, 500, "cannot lock the world "+state)
	if !strings.Contains(complaints.String(), "cannot lock the world") {
		t.Errorf("the terminal shows %q", complaints.String())
	}
}

// TestStateIsShared: two emulators, including their control paths, work on one state. A symbolic link to it is followed
// and kept. Also checked is which files are left beside it.
func TestStateIsShared(t *testing.T) {
	t.Parallel()
	directory := t.TempDir()
	state, link, nowhere := filepath.Join(directory, "state.json"), filepath.Join(directory, "link"), filepath.Join(directory, "nowhere")
	other := filepath.Join(directory, ".state.json.local")
	if err := os.WriteFile(other, []byte("somebody's"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(os.Symlink("state.json", link), os.Symlink("nothing", nowhere)); err != nil {
		t.Fatal(err)
	}
	first, _, stopFirst := start(t, "--state", state, "--boot-time", "1h", "--clock", "2026-01-01T00:00:00Z", "--fault", "GET /accounts 503 times=1")
	second, _, stopSecond := start(t, "--state", link)
	do := func(endpoint, call, body string, status int, want string) {
		t.Helper()
		method, path, _ := strings.Cut(call, " ")
		if answer, got := get(t, newRequest(t, method, endpoint+path, body)); answer.StatusCode != status || !strings.Contains(got, want) {
			t.Errorf("%s answered %d %s, want %d %s", call, answer.StatusCode, got, status, want)
		}
	}
	do(first, "POST "+create, web1, 202, "")
	do(second, "PUT "+machines+"/web1", `{"power_on":true}`, 200, `"power_on":false`)
	do(first, "GET /_emulator/world", "", 200, `"what": "boot"`)
	do(second, "GET /_emulator/clock", "", 200, `"now": "2026-01-01T00:0`)
	do(second, "POST /_emulator/clock", `{"advance":"2h"}`, 200, `"now": "2026-01-01T02:0`)
	do(first, "GET "+machines+"/web1", "", 200, `"power_on":true`)
	do(second, "POST /_emulator/staff", `{"event":"host-failure","virtual_machine":"web1"}`, 204, "")
	do(first, "GET /_emulator/power", "", 200, `"max_down": 1`)
	// An injected fault belongs to the world, a fault of the flags to its process.
	do(first, "POST /_emulator/faults", "GET /virtual_machines 503 times=2", 200, "")
	do(second, "GET /virtual_machines", "", 503, "")
	do(first, "GET /virtual_machines", "", 503, "")
	do(second, "GET /virtual_machines", "", 200, "web1")
	do(second, "GET /accounts", "", 200, "")
	do(first, "GET /accounts", "", 503, "")
	do(second, "POST /_emulator/reset", "", 204, "")
	do(first, "GET "+machines, "", 200, "[]")
	if err := errors.Join(stopFirst(), stopSecond()); err != nil {
		t.Fatal(err)
	}
	if target, err := os.Readlink(link); err != nil || target != "state.json" {
		t.Errorf("the link became %s, %v", target, err)
	}
	left, err := filepath.Glob(filepath.Join(directory, "*state*"))
	if want := []string{other, state, state + ".lock"}; err != nil || !slices.Equal(left, want) {
		t.Errorf("in the directory: %v, %v", left, err)
	}
	if err := parseFlags(t, "127.0.0.1:0", "--state", nowhere).Run(t.Context(), io.Discard, io.Discard); err == nil || !strings.Contains(err.Error(), "symbolic link to nothing") {
		t.Errorf("a link to nothing: %v", err)
	}
}
