// SPDX-License-Identifier: MPL-2.0

package worldfile_test

import (
	"bytes"
	"context"
	"errors"
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
func open(name string, options emulator.Options) *worldfile.World {
	options.Open = true
	options.FirstID = time.Now().UnixNano() >> 20
	return worldfile.New(name, options, func(e *emulator.Emulator) error { return e.Load([]byte(seed)) })
}

// send sends a request with a made-up token, and returns the status and the body of the answer.
func send(ctx context.Context, service http.RoundTripper, call, body string) (status int, answered string, err error) {
	method, path, _ := strings.Cut(call, " ")
	r, err := http.NewRequestWithContext(ctx, method, "http://emulator"+path, strings.NewReader(body))
	if err != nil {
		return 0, "", err
	}
	r.Header.Set("Authorization", "Bearer correct-horse")
	r.Header.Set("Content-Type", "application/json")
	answer, err := service.RoundTrip(r)
	if err != nil {
		return 0, "", err
	}
	defer func() { _ = answer.Body.Close() }()
	content, err := io.ReadAll(answer.Body)
	return answer.StatusCode, string(content), err
}

// do sends a request and checks the answer.
func do(t testing.TB, service http.RoundTripper, call, body string, status int, want string) string {
	t.Helper()
	got, answered, err := send(t.Context(), service, call, body)
	if err != nil || got != status || !strings.Contains(answered, want) {
		t.Fatalf("%s answered %d %s, %v, want %d %s", call, got, answered, err, status, want)
	}
	return answered
}

// fail sends a request and checks that the world is not available and that the error is lasting.
func fail(t *testing.T, w http.RoundTripper, want string) {
	t.Helper()
	_, answered, err := send(t.Context(), w, "GET /accounts", "")
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
	synctest.Test(t, followEachOther)
}

func followEachOther(t *testing.T) {
	name := filepath.Join(t.TempDir(), "world.json")
	first, second := open(name, emulator.Options{BootTime: time.Hour}), open(name, emulator.Options{})
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
	time.Sleep(time.Hour)
	do(t, second, "GET "+machines+"/web1", "", 200, `"power_on":true`)
	do(t, first, "GET "+machines+"/web1", "", 200, `"power_on":true`)
	third := open(name, emulator.Options{})
	do(t, third, "DELETE "+machines+"/web1?purge=true", "", 204, "")
	do(t, first, "GET "+machines+"/web1", "", 404, "")
}

// TestMissingFile: if the file was deleted, or is empty, a new world begins, with other IDs.
func TestMissingFile(t *testing.T) {
	t.Parallel()
	name := filepath.Join(t.TempDir(), "world.json")
	if err := os.WriteFile(name, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	w := open(name, emulator.Options{})
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
	first, second := open(name, emulator.Options{}), open(name, emulator.Options{})
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
		`{"accounts":[`: "is not a world", `{"accounts":[{"name":"A"}]}`: "accounts[0].name", `{"accounts":[],"faults":[{"fault":"* * sometimes"}]}`: "faults[0].fault",
		"# notes\n": "is not JSON", `{"version": 4, "resources": []}`: "unknown field",
	} {
		name := filepath.Join(t.TempDir(), "world.json")
		w := open(name, emulator.Options{})
		do(t, w, "GET /accounts", "", 200, "demo")
		if err := os.WriteFile(name, []byte(written), 0o600); err != nil {
			t.Fatal(err)
		}
		for _, process := range []*worldfile.World{w, open(name, emulator.Options{})} {
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
	fail(t, open(directory, emulator.Options{}), "cannot read the world: read "+directory)

	name := filepath.Join(directory, "world.json")
	w := open(name, emulator.Options{})
	do(t, w, "POST "+create, machine("web1"), 202, "")
	inTheWay := filepath.Join(directory, ".world.json.emulator-new")
	if err := os.MkdirAll(filepath.Join(inTheWay, "occupied"), 0o700); err != nil {
		t.Fatal(err)
	}
	_, _, err := send(t.Context(), w, "POST "+create, machine("web2"))
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
	do(t, open(name, emulator.Options{}), "POST "+create, machine("web1"), 202, "")
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
		other, w := open(name, emulator.Options{}), open(name, emulator.Options{})
		held, release := make(chan struct{}), make(chan struct{})
		go func() {
			_ = other.Alone(t.Context(), func() { close(held); <-release })
		}()
		<-held
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		if _, _, err := send(ctx, w, "GET /accounts", ""); !errors.Is(err, context.DeadlineExceeded) {
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

// TestFaultsOfAWorld: a fault of the world acts in each process that uses it, as often as it says.
func TestFaultsOfAWorld(t *testing.T) {
	t.Parallel()
	name := filepath.Join(t.TempDir(), "world.json")
	if err := os.WriteFile(name, []byte(strings.Replace(seed, "{", `{"faults":[{"fault":"GET /definitions 503 times=2"}],`, 1)), 0o600); err != nil {
		t.Fatal(err)
	}
	for range 2 {
		w := serve(t, "emulator:"+name)
		for _, status := range []int{503, 503, 200} {
			do(t, w, "GET /definitions", "", status, "")
			do(t, w, "POST /accounts/demo/groups", `{}`, 400, "") // reads the file again
		}
	}
}

// TestGuestsOfAWorld: if a world was ever served with guests, new machines get addresses for guests in every process.
func TestGuestsOfAWorld(t *testing.T) {
	t.Parallel()
	name := filepath.Join(t.TempDir(), "world.json")
	do(t, open(name, emulator.Options{Guests: true}), "GET "+machines, "", 200, "[]")
	do(t, open(name, emulator.Options{}), "POST "+create, machine("web1"), 202, "")
	do(t, open(name, emulator.Options{}), "GET "+machines+"/web1?view=overview", "", 200, `"127.77.0.`)
}
