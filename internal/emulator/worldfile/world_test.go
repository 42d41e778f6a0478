package worldfile_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/emulator"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/emulator/worldfile"
)

// seed is the world that tests start with.
const seed = `{"accounts":[{"name":"demo","groups":[{"name":"default"}]}]}`

const (
	create   = "/accounts/demo/groups/default/vm_create"
	machines = "/accounts/demo/groups/default/virtual_machines"
)

// open returns a world as another process would open it.
func open(t testing.TB, name string, options emulator.Options) *worldfile.World {
	t.Helper()
	w, err := openWorld(name, options)
	if err != nil {
		t.Fatal(err)
	}
	return w
}

func openWorld(name string, options emulator.Options) (*worldfile.World, error) {
	options.Open = true
	options.FirstID = time.Now().UnixNano() >> 20
	return worldfile.New(name, options, func(e *emulator.Emulator) error { return e.Load([]byte(seed)) })
}

// send sends a request to a world, and returns the status and the body of the answer.
func send(ctx context.Context, w *worldfile.World, method, path, body string) (status int, answered string, err error) {
	r, err := http.NewRequestWithContext(ctx, method, "http://emulator"+path, strings.NewReader(body))
	if err != nil {
		return 0, "", err
	}
	r.Header.Set("Content-Type", "application/json")
	answer, err := w.Emulator.Transport().RoundTrip(r)
	if err != nil {
		return 0, "", err
	}
	defer func() { _ = answer.Body.Close() }()
	content, err := io.ReadAll(answer.Body)
	return answer.StatusCode, string(content), err
}

// do sends a request and checks the answer.
func do(t testing.TB, w *worldfile.World, call, body string, status int, want string) string {
	t.Helper()
	method, path, _ := strings.Cut(call, " ")
	got, answered, err := send(t.Context(), w, method, path, body)
	if err != nil || got != status || !strings.Contains(answered, want) {
		t.Fatalf("%s answered %d %s, %v, want %d %s", call, got, answered, err, status, want)
	}
	return answered
}

// fail sends a request and checks that the world is not available and that the error is lasting.
func fail(t *testing.T, w *worldfile.World, want string) {
	t.Helper()
	_, answered, err := send(t.Context(), w, "GET", "/accounts", "")
	lasting, ok := errors.AsType[interface {
		error
		Lasting() bool
	}](err)
	if !ok || !lasting.Lasting() || !strings.Contains(err.Error(), want) {
		t.Errorf("%s, %v, want %s", answered, err, want)
	}
}

func machine(name string) string {
	return `{"virtual_machine":{"name":"` + name + `","power_on":true},"discs":[{"label":"vda","size":50}]}`
}

// TestWorldsFollowEachOther: each process sees the changes of the others, the process that uses the world next makes
// the background changes that are due, and the file is written only after a change.
func TestWorldsFollowEachOther(t *testing.T) {
	t.Parallel()
	name := filepath.Join(t.TempDir(), "world.json")
	first, second := open(t, name, emulator.Options{BootTime: time.Hour}), open(t, name, emulator.Options{})
	if left, err := filepath.Glob(filepath.Join(filepath.Dir(name), "*")); err != nil || len(left) > 0 {
		t.Errorf("before the first request there are %v, %v", left, err)
	}
	account := do(t, first, "GET /accounts/demo", "", 200, `"demo"`)
	do(t, second, "GET /accounts/demo", "", 200, account)
	do(t, first, "POST "+create, machine("web1"), 202, "web1")
	do(t, second, "GET "+machines+"/web1", "", 200, `"power_on":false`)
	do(t, second, "POST "+create, machine("web1"), 400, "taken")

	before, err := os.Stat(name)
	if err != nil {
		t.Fatal(err)
	}
	for range 3 {
		do(t, second, "GET "+machines+"/web1", "", 200, `"power_on":false`)
		do(t, first, "GET "+machines, "", 200, "web1")
	}
	if after, err := os.Stat(name); err != nil || !os.SameFile(before, after) || before.Mode().Perm() != 0o600 {
		t.Errorf("reading has replaced the file, or others can read it: %v, %v", before.Mode(), err)
	}
	if err := second.Alone(t.Context(), func() { second.Emulator.Advance(2 * time.Hour) }); err != nil {
		t.Fatal(err)
	}
	do(t, first, "GET "+machines+"/web1", "", 200, `"power_on":true`)
	third := open(t, name, emulator.Options{})
	do(t, third, "DELETE "+machines+"/web1?purge=true", "", 204, "")
	do(t, first, "GET "+machines+"/web1", "", 404, "")
	if ahead := time.Until(third.Emulator.Now()); ahead < time.Hour || ahead > 2*time.Hour {
		t.Errorf("the clock is %s ahead", ahead)
	}
	if p := first.Emulator.Power(); len(p.Changes) != 1 || p.Changes[0].Hostname != "web1.default.demo.cluster.example" {
		t.Errorf("%+v", p)
	}
}

// TestMissingFile: if the file was deleted, or is empty, a new world begins, with other IDs.
func TestMissingFile(t *testing.T) {
	t.Parallel()
	name := filepath.Join(t.TempDir(), "world.json")
	if err := os.WriteFile(name, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	w := open(t, name, emulator.Options{})
	first := do(t, w, "POST "+create, machine("web1"), 202, "")
	if err := os.Remove(name); err != nil {
		t.Fatal(err)
	}
	do(t, w, "GET "+machines, "", 200, "[]")
	if again := do(t, w, "POST "+create, machine("web1"), 202, ""); again == first {
		t.Errorf("the same ids: %s", again)
	}
	if content, err := os.ReadFile(name); err != nil || !bytes.Contains(content, []byte("web1")) {
		t.Errorf("%s, %v", content, err)
	}
}

// TestEditedFile: what a user writes into the file is loaded, and gets IDs that stay.
func TestEditedFile(t *testing.T) {
	t.Parallel()
	name := filepath.Join(t.TempDir(), "world.json")
	first, second := open(t, name, emulator.Options{}), open(t, name, emulator.Options{})
	do(t, first, "GET "+machines, "", 200, "[]")
	edited := strings.Replace(seed, `"default"`, `"default","virtual_machines":[{"name":"mine"}]`, 1)
	if err := os.WriteFile(name, []byte(edited), 0o600); err != nil {
		t.Fatal(err)
	}
	found := do(t, first, "GET "+machines, "", 200, `"mine"`)
	do(t, second, "GET "+machines, "", 200, found)
}

// TestDamagedFile: a file that is not a world is an error that names the position, and stays as it is.
func TestDamagedFile(t *testing.T) {
	t.Parallel()
	for written, want := range map[string]string{
		`{"accounts":[`: "is not JSON", `{"accounts":[{"name":"A"}]}`: "accounts[0].name", `{"accounts":[],"clock_offset":"2000000h"}`: "year",
		`{"accounts":[],"clock_offset":"soon"}`: "clock_offset: is not a duration", `{"accounts":[],"faults":[{"fault":"* * 503"}]}`: "faults[0].fault",
	} {
		name := filepath.Join(t.TempDir(), "world.json")
		w := open(t, name, emulator.Options{})
		do(t, w, "GET /accounts", "", 200, "demo")
		if err := os.WriteFile(name, []byte(written), 0o600); err != nil {
			t.Fatal(err)
		}
		for _, process := range []*worldfile.World{w, open(t, name, emulator.Options{})} {
			fail(t, process, "cannot load the world "+name)
			fail(t, process, want)
			fail(t, process, "correct it, or name another file to begin a new world")
		}
		if content, err := os.ReadFile(name); err != nil || string(content) != written {
			t.Errorf("%s became %s, %v", written, content, err)
		}
	}
}

// TestUnusableFile checks files that cannot be locked, read or written.
func TestUnusableFile(t *testing.T) {
	t.Parallel()
	directory := t.TempDir()
	nowhere := filepath.Join(directory, "none", "world.json")
	fail(t, open(t, nowhere, emulator.Options{}), "cannot lock the world "+nowhere)
	fail(t, open(t, directory, emulator.Options{}), directory+" is not a regular file")

	name := filepath.Join(directory, "world.json")
	w := open(t, name, emulator.Options{})
	do(t, w, "POST "+create, machine("web1"), 202, "")
	inTheWay := filepath.Join(directory, ".world.json.emulator-new")
	if err := os.MkdirAll(filepath.Join(inTheWay, "occupied"), 0o700); err != nil {
		t.Fatal(err)
	}
	_, _, err := send(t.Context(), w, "POST", create, machine("web2"))
	if err == nil || !strings.Contains(err.Error(), "the change was undone, because the world cannot be saved") {
		t.Errorf("%v", err)
	}
	if listed := do(t, w, "GET "+machines, "", 200, "web1"); strings.Contains(listed, "web2") {
		t.Errorf("not undone: %s", listed)
	}
	if err := os.RemoveAll(inTheWay); err != nil {
		t.Fatal(err)
	}
	do(t, w, "POST "+create, machine("web2"), 202, "")
}

// TestStaleLock: the lock file of a killed process does not block others.
func TestStaleLock(t *testing.T) {
	t.Parallel()
	name := filepath.Join(t.TempDir(), "world.json")
	left := filepath.Join(filepath.Dir(name), ".world.json.emulator-new")
	if err := errors.Join(os.WriteFile(name+".lock", nil, 0o600), os.WriteFile(left, []byte("{"), 0o600)); err != nil {
		t.Fatal(err)
	}
	do(t, open(t, name, emulator.Options{}), "POST "+create, machine("web1"), 202, "")
	if _, err := os.Stat(left); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("the part of a file is still there: %v", err)
	}
}

// TestLockOfAnother: a request waits for the process that uses the world, until its context ends. It gives up if that
// process does not continue. It does not run beside tests that start processes: one that was just forked holds the lock
// until it runs its program, while the clock of this test, which nothing real stops, runs on.
func TestLockOfAnother(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		name := filepath.Join(t.TempDir(), "world.json")
		other, w := open(t, name, emulator.Options{}), open(t, name, emulator.Options{})
		held, release := make(chan struct{}), make(chan struct{})
		go func() {
			_ = other.Alone(t.Context(), func() { close(held); <-release })
		}()
		<-held
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		if _, _, err := send(ctx, w, "GET", "/accounts", ""); !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("the context has ended, but %v", err)
		}
		fail(t, w, "another process has held the lock "+name+".lock for 20s")
		go func() { <-time.After(5 * time.Second); close(release) }()
		start := time.Now()
		do(t, w, "GET /accounts", "", 200, "demo")
		if waited := time.Since(start); waited > 6*time.Second {
			t.Errorf("waited %s", waited)
		}
	})
}

// TestFaultsOfAWorld: counts of faults are shared. Faults of the world act in every process, and those of options in
// the processes that have them. Each draws the random numbers that a single process would have drawn.
func TestFaultsOfAWorld(t *testing.T) {
	t.Parallel()
	read := func(text string) (emulator.Fault, error) {
		f := emulator.Fault{Name: text, Status: 503, Match: func(r emulator.Request) bool { return strings.HasPrefix(r.Path, strings.Fields(text)[0]) }}
		_, err := fmt.Sscanf(text, f.Name[:strings.Index(text, " ")]+" %d %g", &f.Times, &f.Chance)
		f.Seed = 7
		return f, err
	}
	option, err := read("/definitions 2 0")
	if err != nil {
		t.Fatal(err)
	}
	option.Key = option.Name
	name := filepath.Join(t.TempDir(), "world.json")
	with := emulator.Options{ReadFault: read, Faults: []emulator.Fault{option}}
	process := func(options emulator.Options) *worldfile.World { return open(t, name, options) }
	status := func(w *worldfile.World, path string) int {
		t.Helper()
		got, _, err := send(t.Context(), w, "GET", path, "")
		if err != nil {
			t.Fatal(err)
		}
		return got
	}
	for n, want := range []int{503, 503, 200} {
		if got := status(process(with), "/definitions"); got != want {
			t.Errorf("request %d with the option: %d", n, got)
		}
		if got := status(process(emulator.Options{ReadFault: read}), "/definitions"); got != 200 {
			t.Errorf("request %d without the option: %d", n, got)
		}
	}
	injected, err := read("/accounts 0 0.5")
	if err != nil {
		t.Fatal(err)
	}
	w := process(with)
	if err := w.Alone(t.Context(), func() { w.Emulator.Inject(injected) }); err != nil {
		t.Fatal(err)
	}
	alone := emulator.New(emulator.Options{Open: true})
	alone.Inject(injected)
	acted := 0
	for n := range 40 {
		r, err := http.NewRequestWithContext(t.Context(), http.MethodGet, "http://emulator/accounts", http.NoBody)
		if err != nil {
			t.Fatal(err)
		}
		answer, err := alone.Transport().RoundTrip(r)
		if err != nil {
			t.Fatal(err)
		}
		_ = answer.Body.Close()
		if w = []*worldfile.World{w, process(emulator.Options{ReadFault: read})}[n%2]; status(w, "/accounts") != answer.StatusCode {
			t.Errorf("request %d is not answered with %d", n, answer.StatusCode)
		}
		acted += answer.StatusCode / 503
	}
	if f := w.Emulator.Faults(); acted < 10 || acted > 30 || len(f) != 1 || f[0].Asked != 40 || f[0].Acted != acted {
		t.Errorf("acted %d times, %+v", acted, f)
	}
	// A copy of the file that is restored continues where the copy was made, and a fault that is removed is removed for
	// all.
	if err := w.Alone(t.Context(), func() { w.Emulator.RemoveFaults(0) }); err != nil {
		t.Fatal(err)
	}
	if last := process(with); status(last, "/accounts") != 200 || len(last.Emulator.Faults()) != 0 {
		t.Errorf("%+v", last.Emulator.Faults())
	}
}

// TestGuestsOfAWorld: if a world was ever served with guests, new machines get addresses for guests in every process.
func TestGuestsOfAWorld(t *testing.T) {
	t.Parallel()
	name := filepath.Join(t.TempDir(), "world.json")
	do(t, open(t, name, emulator.Options{Guests: true}), "GET "+machines, "", 200, "[]")
	do(t, open(t, name, emulator.Options{}), "POST "+create, machine("web1"), 202, "")
	do(t, open(t, name, emulator.Options{}), "GET "+machines+"/web1?view=overview", "", 200, `"127.77.0.`)
}
