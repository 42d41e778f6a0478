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
	"slices"
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
	endpoint, _, _ = start(t, "-state", state)
	_, body = get(t, newRequest(t, "GET", endpoint+machines+"/web1", ""))
	decode(t, body, &after)
	_, body = get(t, newRequest(t, "POST", endpoint+"/accounts/demo/groups", `{"name":"more"}`))
	decode(t, body, &next)
	if after.ID <= before.ID || next.ID <= after.ID {
		t.Errorf("ids %d, %d, %d", before.ID, after.ID, next.ID)
	}
}

// TestUnwritableState checks that a change which cannot be saved is undone, and that requests and the terminal say so. What
// was saved before stays, sessions too.
func TestUnwritableState(t *testing.T) {
	t.Parallel()
	directory := filepath.Join(t.TempDir(), "gone")
	if err := os.Mkdir(directory, 0o700); err != nil {
		t.Fatal(err)
	}
	c := command(t, "-quiet", "-state", filepath.Join(directory, "state.json"))
	var complaints bytes.Buffer
	d, err := c.newDesk(&complaints)
	if err != nil {
		t.Fatal(err)
	}
	client := &http.Client{Transport: d.emulator.Transport()}
	do := func(method, path, body, token string) (int, string) {
		r := newRequest(t, method, "http://emulator"+path, body)
		r.Header.Set("Authorization", "Bearer "+token)
		answer, err := client.Do(r)
		if err != nil {
			t.Fatal(err)
		}
		defer func() { _ = answer.Body.Close() }()
		content, err := io.ReadAll(answer.Body)
		if err != nil {
			t.Fatal(err)
		}
		return answer.StatusCode, string(content)
	}
	do("POST", create, web1, "apikey.demo")
	_, session := do("POST", "/session", `{"username":"demo","password":"demo"}`, "")
	if err := os.RemoveAll(directory); err != nil {
		t.Fatal(err)
	}
	const says = "the change was undone, because the state cannot be saved"
	if status, body := do("POST", create, strings.Replace(web1, "web1", "web2", 1), session); status != 500 || !strings.Contains(body, says) {
		t.Errorf("%d %s", status, body)
	}
	if status, body := do("DELETE", machines+"/web1?purge=true", "", session); status != 500 || !strings.Contains(body, says) {
		t.Errorf("%d %s", status, body)
	}
	if !strings.Contains(complaints.String(), "cannot save the state, so the change is undone") {
		t.Errorf("the terminal shows %q", complaints.String())
	}
	if status, _ := do("GET", machines, "", session); status != 200 {
		t.Errorf("the session ended: %d", status)
	}
	if err := d.reset(); err == nil {
		t.Error("reset without a state")
	}
	if status, body := do("GET", machines, "", "apikey.demo"); status != 200 || !strings.Contains(body, "web1") || strings.Contains(body, "web2") {
		t.Errorf("%d %s", status, body)
	}
}

// TestStateIsServedOnce checks the lock of a state, and that a symbolic link to it is followed and stays.
func TestStateIsServedOnce(t *testing.T) {
	t.Parallel()
	directory := t.TempDir()
	state, link, nowhere := filepath.Join(directory, "state.json"), filepath.Join(directory, "link"), filepath.Join(directory, "nowhere")
	others := []string{filepath.Join(directory, ".state.json.123"), filepath.Join(directory, ".state.json.local")}
	for _, name := range others {
		if err := os.WriteFile(name, []byte("somebody's"), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if err := errors.Join(os.Symlink("state.json", link), os.Symlink("nothing", nowhere)); err != nil {
		t.Fatal(err)
	}
	_, _, stop := start(t, "-state", state)
	if err := stop(); err != nil {
		t.Fatal(err)
	}
	endpoint, _, stop := start(t, "-state", link)
	for _, name := range []string{link, state} {
		err := command(t, "-emulator", "127.0.0.1:0", "-state", name).Run(t.Context(), io.Discard, io.Discard)
		if coded, ok := errors.AsType[*Error](err); !ok || coded.ExitCode() != 2 || !strings.Contains(err.Error(), "is served by another emulator") {
			t.Errorf("a second emulator: %v", err)
		}
	}
	get(t, newRequest(t, "POST", endpoint+create, web1))
	if err := stop(); err != nil {
		t.Fatal(err)
	}
	if target, err := os.Readlink(link); err != nil || target != "state.json" {
		t.Errorf("the link became %s, %v", target, err)
	}
	if content, err := os.ReadFile(state); err != nil || !bytes.Contains(content, []byte("web1")) {
		t.Errorf("%s, %v", content, err)
	}
	if left, err := filepath.Glob(filepath.Join(directory, ".*")); err != nil || !slices.Equal(left, others) {
		t.Errorf("beside the state: %v, %v", left, err)
	}
	_, _, stop = start(t, "-state", state)
	if err := stop(); err != nil {
		t.Error(err)
	}
	if err := command(t, "-emulator", "127.0.0.1:0", "-state", nowhere).Run(t.Context(), io.Discard, io.Discard); err == nil || !strings.Contains(err.Error(), "symbolic link to nothing") {
		t.Errorf("a link to nothing: %v", err)
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
		if _, err := fmt.Fprintln(os.Stdout, n); err != nil {
			os.Exit(6)
		}
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
