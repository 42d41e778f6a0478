//go:build release && linux

package release_test

import (
	"encoding/json"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"
)

// TestContainer runs the program as the Containerfile does, but without a daemon or a registry: as nobody, in a
// read-only root directory that contains the program alone.
func TestContainer(t *testing.T) {
	t.Parallel()
	file, err := os.ReadFile("../../../Containerfile")
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"FROM scratch\n", "USER 65534:65534\n", "CGO_ENABLED=0 go build -trimpath"} {
		if !strings.Contains(string(file), want) {
			t.Errorf("the Containerfile lacks %q", want)
		}
	}
	address := freeAddress(t)
	arguments := func(instruction string) []string {
		found := regexp.MustCompile("(?m)^" + instruction + `.*?(\[.*\])$`).FindSubmatch(file)
		if found == nil {
			t.Fatalf("the Containerfile lacks %s", instruction)
		}
		var list []string
		if err := json.Unmarshal(found[1], &list); err != nil {
			t.Fatal(err)
		}
		n := slices.IndexFunc(list, func(a string) bool { return strings.HasSuffix(a, ":8787") })
		list[n] = address
		return list
	}
	root := t.TempDir()
	if err := os.Link(open(t).unpack(t), filepath.Join(root, "emulator")); err != nil {
		t.Fatal(err)
	}
	if err := os.Chmod(root, 0o555); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.Chmod(root, 0o755) }) // so that it can be removed

	contained := func(list []string) *exec.Cmd {
		command := exec.CommandContext(t.Context(), list[0], list[1:]...)
		command.Dir, command.Env = "/", []string{}
		command.Stdout, command.Stderr = t.Output(), t.Output()
		command.SysProcAttr = &syscall.SysProcAttr{Chroot: root, Credential: &syscall.Credential{Uid: 65534, Gid: 65534}}
		if os.Geteuid() != 0 {
			mapping := func(id int) []syscall.SysProcIDMap {
				return []syscall.SysProcIDMap{{ContainerID: 65534, HostID: id, Size: 1}}
			}
			command.SysProcAttr = &syscall.SysProcAttr{
				Chroot: root, Cloneflags: syscall.CLONE_NEWUSER, UidMappings: mapping(os.Getuid()), GidMappings: mapping(os.Getgid()),
			}
		}
		return command
	}
	if err := contained(arguments("HEALTHCHECK")).Run(); err == nil {
		t.Error("healthy before it runs")
	}
	server := contained(arguments("ENTRYPOINT"))
	if err := server.Start(); err != nil {
		t.Fatal(err)
	}
	deadline := time.Now().Add(30 * time.Second)
	for contained(arguments("HEALTHCHECK")).Run() != nil {
		if time.Now().After(deadline) {
			t.Fatal("not healthy within thirty seconds")
		}
	}
	for host, want := range map[string]int{"emulator": http.StatusOK, "evil.example": http.StatusForbidden} {
		r, err := http.NewRequestWithContext(t.Context(), http.MethodGet, "http://"+address+"/_emulator/clock", http.NoBody)
		if err != nil {
			t.Fatal(err)
		}
		r.Host = host
		answer, err := http.DefaultClient.Do(r)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := io.Copy(io.Discard, answer.Body); err != nil || answer.StatusCode != want {
			t.Errorf("%s: %s, %v", host, answer.Status, err)
		}
		_ = answer.Body.Close()
	}
	if err := server.Process.Signal(syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	if err := server.Wait(); err != nil {
		t.Errorf("ended with %v", err)
	}
}

// freeAddress returns an address on which nothing listens.
func freeAddress(t *testing.T) string {
	t.Helper()
	listener, err := (&net.ListenConfig{}).Listen(t.Context(), "tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = listener.Close() }()
	return listener.Addr().String()
}
