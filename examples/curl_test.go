package examples_test

import (
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/acctest"
)

// TestMain runs the tests, or is the curl of a machine that has none: pages use that program, and the tests need Go, make
// and git alone.
func TestMain(m *testing.M) {
	if filepath.Base(os.Args[0]) == "curl" {
		if err := curl(os.Args[1:], os.Stdout); err != nil {
			fmt.Fprintln(os.Stderr, "curl:", err)
			os.Exit(22)
		}
		return
	}
	os.Exit(runTests(m))
}

func runTests(m *testing.M) (code int) {
	clean, err := acctest.Prepare()
	defer func() { _ = clean() }()
	if err == nil {
		var remove func() error
		remove, err = provideCurl()
		defer func() { _ = remove() }()
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	return m.Run()
}

// provideCurl puts this program into PATH under the name curl where there is no such program.
func provideCurl() (remove func() error, err error) {
	if _, err := exec.LookPath("curl"); err == nil {
		return func() error { return nil }, nil
	}
	self, err := os.Executable()
	if err != nil {
		return func() error { return nil }, err
	}
	dir, err := os.MkdirTemp("", "programs")
	return func() error { return os.RemoveAll(dir) }, errors.Join(err, os.Symlink(self, filepath.Join(dir, "curl")),
		os.Setenv("PATH", dir+string(os.PathListSeparator)+os.Getenv("PATH")))
}

// curl sends one request and prints the answer, with the flags of curl that the pages use.
func curl(args []string, out io.Writer) error {
	r, err := http.NewRequest(http.MethodGet, "", http.NoBody)
	if err != nil {
		return err
	}
	fails := false
	for i := 0; i < len(args); i++ {
		switch arg := args[i]; {
		case arg == "-sS":
		case arg == "-fsS", arg == "--fail-with-body":
			fails = true
		case strings.HasPrefix(arg, "http"):
			if r.URL, err = url.Parse(arg); err != nil {
				return err
			}
		case i+1 == len(args):
			return fmt.Errorf("what does %s mean?", arg)
		default:
			i++
			if err := set(r, arg, args[i]); err != nil {
				return err
			}
		}
	}
	r.Host = r.URL.Host
	answer, err := http.DefaultClient.Do(r)
	if err != nil {
		return err
	}
	defer func() { _ = answer.Body.Close() }()
	_, err = io.Copy(out, answer.Body)
	if err == nil && fails && answer.StatusCode >= 400 {
		err = errors.New(answer.Status)
	}
	return err
}

// set applies a flag that has a value to a request.
func set(r *http.Request, name, value string) error {
	switch name {
	case "-X":
		r.Method = value
	case "-H":
		header, text, _ := strings.Cut(value, ":")
		r.Header.Set(header, strings.TrimSpace(text))
	case "-d":
		if r.Method == http.MethodGet {
			r.Method = http.MethodPost
		}
		if r.Header.Get("Content-Type") == "" {
			r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
		}
		r.Body, r.ContentLength = io.NopCloser(strings.NewReader(value)), int64(len(value))
	default:
		return fmt.Errorf("what does %s mean?", name)
	}
	return nil
}
