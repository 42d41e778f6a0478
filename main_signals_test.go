// SPDX-License-Identifier: MPL-2.0

//go:build !windows

package main

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/cmd"
)

// TestSignalsEndALogin runs itself as a login that waits for a code or for the service. A signal ends it, including
// that of a closed terminal, and no file is left behind. A login that was started with nohup survives a closed
// terminal.
func TestSignalsEndALogin(t *testing.T) {
	t.Parallel()
	const child = "MAIN_TEST_LOGIN"
	if os.Getenv(child) != "" {
		err := run(context.Background(), []string{"login", "--otp-stdin"}, cmd.Streams{In: os.Stdin, Out: io.Discard, Err: os.Stderr})
		fmt.Fprintln(os.Stderr, "ended:", err)
		os.Exit(cmd.ExitStatus(err))
	}
	signal.Notify(make(chan os.Signal, 1), syscall.SIGHUP) // or a test under nohup would hand its disposition down
	asked := make(chan struct{}, 100)
	hangs := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		asked <- struct{}{}
		_, _ = io.Copy(io.Discard, r.Body)
		<-r.Context().Done()
	}))
	t.Cleanup(hangs.Close)
	for name, test := range map[string]struct {
		signal   syscall.Signal
		code     string // on the standard input; "": the login waits for it
		nohup    bool
		survives bool
	}{
		"interrupted while it waits for a code":  {signal: syscall.SIGINT},
		"hung up while it waits for the service": {signal: syscall.SIGHUP, code: "123456\n"},
		"hung up with nohup":                     {signal: syscall.SIGHUP, nohup: true, survives: true},
	} {
		t.Run(name, func(t *testing.T) {
			folder := t.TempDir()
			command := []string{os.Args[0], "-test.run=^TestSignalsEndALogin$"}
			if test.nohup {
				command = append([]string{"nohup"}, command...)
			}
			login := exec.CommandContext(t.Context(), command[0], command[1:]...)
			login.Env = append(os.Environ(), child+"=1", "CLOUDSERVER_TOKEN_FILE="+filepath.Join(folder, "token"),
				"CLOUDSERVER_ENDPOINT="+hangs.URL, "CLOUDSERVER_USERNAME=demo", "CLOUDSERVER_PASSWORD=demo")
			input, err := login.StdinPipe()
			if err != nil {
				t.Fatal(err)
			}
			var output strings.Builder
			login.Stderr = &output
			if err := login.Start(); err != nil {
				t.Fatal(err)
			}
			ended := make(chan error, 1)
			go func() { ended <- login.Wait() }()
			for left, _ := os.ReadDir(folder); len(left) == 0; left, _ = os.ReadDir(folder) {
				time.Sleep(10 * time.Millisecond) // until it has made its file
			}
			if test.code != "" {
				if _, err := io.WriteString(input, test.code); err != nil {
					t.Fatal(err)
				}
				<-asked
			}
			if err := login.Process.Signal(test.signal); err != nil {
				t.Fatal(err)
			}
			if test.survives {
				select {
				case err := <-ended:
					t.Errorf("ended: %v", err)
				case <-time.After(300 * time.Millisecond):
				}
				_ = login.Process.Kill()
				<-ended
				return
			}
			select {
			case err := <-ended:
				if err == nil || login.ProcessState.ExitCode() != 1 {
					t.Errorf("it ended with %v\n%s", err, output.String())
				}
			case <-time.After(10 * time.Second):
				t.Errorf("it goes on\n%s", output.String())
				_ = login.Process.Kill()
				<-ended
			}
			if left, err := os.ReadDir(folder); err != nil || len(left) > 0 {
				t.Errorf("left behind: %v, %v", left, err)
			}
		})
	}
}

// TestSecondInterrupt runs itself as a command that takes its time after an interrupt. A second one ends it.
func TestSecondInterrupt(t *testing.T) {
	t.Parallel()
	const child = "MAIN_TEST_INTERRUPT"
	if os.Getenv(child) != "" {
		root := newTree(cmd.Streams{})
		root.SetContext(context.Background())
		err := cmd.Run(func(ctx context.Context, _ []string) error {
			fmt.Fprintln(os.Stderr, "begun")
			<-ctx.Done()
			fmt.Fprintln(os.Stderr, "interrupted")
			select {} // until it is killed
		})(root, nil)
		fmt.Fprintln(os.Stderr, "ended:", err)
		os.Exit(1)
	}
	slow := exec.CommandContext(t.Context(), os.Args[0], "-test.run=^TestSecondInterrupt$")
	slow.Env = append(os.Environ(), child+"=1")
	output, err := slow.StderrPipe()
	if err == nil {
		err = slow.Start()
	}
	if err != nil {
		t.Fatal(err)
	}
	ended := make(chan error, 1)
	lines := bufio.NewScanner(output)
	for _, want := range []string{"begun", "interrupted"} {
		if !lines.Scan() || lines.Text() != want {
			t.Fatalf("it says %q, want %q", lines.Text(), want)
		}
		if err := slow.Process.Signal(syscall.SIGINT); err != nil {
			t.Fatal(err)
		}
	}
	go func() { ended <- slow.Wait() }()
	// The second one may come before the program listens again, and is then part of the first. So it is repeated.
	for again := time.NewTicker(10 * time.Millisecond); ; {
		select {
		case err := <-ended:
			again.Stop()
			if status, ok := slow.ProcessState.Sys().(syscall.WaitStatus); !ok || status.Signal() != syscall.SIGINT {
				t.Errorf("it ended with %v", err)
			}
			return
		case <-again.C:
			_ = slow.Process.Signal(syscall.SIGINT) // it may have ended
		}
	}
}
