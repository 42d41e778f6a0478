package console

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/emulator"
)

// TestMain runs the emulator when the test binary starts itself for TestKilledAtAnyMoment.
func TestMain(m *testing.M) {
	if state := os.Getenv("EMULATOR_TEST_STATE"); state != "" {
		serveState(state)
	}
	os.Exit(m.Run())
}

// TestState checks that a world goes on where it stopped, with new ids.
func TestState(t *testing.T) {
	t.Parallel()
	state := filepath.Join(t.TempDir(), "state.json")
	endpoint, _, stop := start(t, "-state", state, "-boot-time", "1h")
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
	remains := filepath.Join(filepath.Dir(state), ".state.json.123")
	if err := os.WriteFile(remains, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	endpoint, _, _ = start(t, "-state", state)
	if _, err := os.Stat(remains); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("remains of a killed process: %v", err)
	}
	_, body = get(t, newRequest(t, "GET", endpoint+machines+"/web1", ""))
	decode(t, body, &after)
	_, body = get(t, newRequest(t, "POST", endpoint+"/accounts/demo/groups", `{"name":"more"}`))
	decode(t, body, &next)
	if after.ID <= before.ID || next.ID <= after.ID {
		t.Errorf("ids %d, %d, %d", before.ID, after.ID, next.ID)
	}
}

// TestUnwritableState checks that a change which cannot be saved is not answered with a success.
func TestUnwritableState(t *testing.T) {
	t.Parallel()
	directory := filepath.Join(t.TempDir(), "gone")
	if err := os.Mkdir(directory, 0o700); err != nil {
		t.Fatal(err)
	}
	endpoint, _, _ := start(t, "-state", filepath.Join(directory, "state.json"))
	if err := os.RemoveAll(directory); err != nil {
		t.Fatal(err)
	}
	if answer, body := get(t, newRequest(t, "POST", endpoint+create, web1)); answer.StatusCode != 500 || !strings.Contains(body, "cannot save the world") {
		t.Errorf("%d %s", answer.StatusCode, body)
	}
}

// TestSaverShares checks that changes which arrive together share a write, and that none is left out.
func TestSaverShares(t *testing.T) {
	t.Parallel()
	var mu sync.Mutex
	value, writes := 0, 0
	name := filepath.Join(t.TempDir(), "state")
	s := newSaver(name, func() []byte {
		mu.Lock()
		defer mu.Unlock()
		writes++
		return []byte(fmt.Sprint(value))
	})
	var all sync.WaitGroup
	for range 200 {
		all.Go(func() {
			mu.Lock()
			value++
			mine := value
			mu.Unlock()
			if err := s.save(); err != nil {
				t.Error(err)
			}
			var saved int
			if content, err := os.ReadFile(name); err != nil {
				t.Error(err)
			} else if _, err := fmt.Sscan(string(content), &saved); err != nil || saved < mine {
				t.Errorf("saved %s, want at least %d", content, mine)
			}
		})
	}
	all.Wait()
	if writes > 150 {
		t.Errorf("%d writes of 200 changes", writes)
	}
}

// serveState is the process that TestKilledAtAnyMoment kills: it makes one change after the other, and prints each one
// after it was answered.
func serveState(state string) {
	c := &Command{Quiet: true, State: state}
	d, err := c.newDesk(io.Discard)
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(3)
	}
	client := &http.Client{Transport: d.emulator.Transport()}
	for n := 0; ; n++ {
		body := fmt.Sprintf(`{"virtual_machine":{"name":"vm-%d"},"discs":[{"label":"vda","size":50}]}`, n)
		r, err := http.NewRequest(http.MethodPost, "http://emulator"+create, strings.NewReader(body))
		if err != nil {
			os.Exit(4)
		}
		r.Header.Set("Authorization", "Bearer apikey.demo")
		r.Header.Set("Content-Type", "application/json")
		answer, err := client.Do(r)
		if err != nil || answer.StatusCode != http.StatusAccepted && answer.StatusCode != http.StatusBadRequest {
			os.Exit(5)
		}
		_ = answer.Body.Close()
		fmt.Fprintln(os.Stdout, n)
	}
}

// TestKilledAtAnyMoment kills the emulator a hundred times: each state that it leaves is a world that was once true, with
// every change that was answered.
func TestKilledAtAnyMoment(t *testing.T) {
	t.Parallel()
	program, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	var workers sync.WaitGroup
	for range 4 {
		workers.Go(func() {
			for range 25 {
				killed(t, program)
			}
		})
	}
	workers.Wait()
}

func killed(t *testing.T, program string) {
	state := filepath.Join(t.TempDir(), "state.json")
	var printed, complaints bytes.Buffer
	process := exec.CommandContext(t.Context(), program)
	process.Env = append(os.Environ(), "EMULATOR_TEST_STATE="+state)
	process.Stdout, process.Stderr = &printed, &complaints
	if err := process.Start(); err != nil {
		t.Error(err)
		return
	}
	time.Sleep(time.Duration(10+rand.IntN(150)) * time.Millisecond) // a moment of a real process
	if err := process.Process.Kill(); err != nil {
		t.Error(err)
	}
	_ = process.Wait() // killed
	if complaints.Len() > 0 {
		t.Error(complaints.String())
	}
	data, err := os.ReadFile(state)
	if errors.Is(err, os.ErrNotExist) {
		return // before the first write
	}
	e, err2 := emulator.NewFrom(emulator.Options{}, data)
	if err = errors.Join(err, err2); err != nil {
		t.Errorf("torn: %v", err)
		return
	}
	answered := strings.Count(printed.String(), "\n")
	found := e.Machines()
	if len(found) != answered && len(found) != answered+1 {
		t.Errorf("%d machines, %d answered", len(found), answered)
	}
	for n, m := range found {
		if m.Name != fmt.Sprintf("vm-%d", n) {
			t.Errorf("machine %d is %s", n, m.Name)
		}
	}
}
