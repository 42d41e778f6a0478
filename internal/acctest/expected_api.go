package acctest

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/emulator"
)

// NewEmulator returns an emulator in memory, which Watch watches until the test ends.
func NewEmulator(t testing.TB, options emulator.Options) *emulator.Emulator {
	t.Helper()
	options, check := Watch(options)
	t.Cleanup(func() {
		if err := check(); err != nil {
			t.Error(err)
		}
	})
	return emulator.New(options)
}

// Watch returns options with which an emulator remembers what it is sent. The check returns an error if section 9 of
// API.md does not have a call, so that the page is compared with what the whole suite sends.
func Watch(options emulator.Options) (watched emulator.Options, check func() error) {
	calls := &sentCalls{sent: map[string]bool{}}
	if options.Log == nil {
		options.Log = calls
	}
	return options, calls.check
}

// sentCalls is a log of the emulator, which keeps methods and paths.
type sentCalls struct {
	mu   sync.Mutex
	sent map[string]bool
}

// Write implements io.Writer: a line is time, method, path and status.
func (c *sentCalls) Write(line []byte) (int, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if fields := strings.Fields(string(line)); len(fields) > 2 {
		c.sent[fields[1]+" "+fields[2]] = true
	}
	return len(line), nil
}

// check returns an error for the calls that API.md does not list.
func (c *sentCalls) check() error {
	listed, err := listedCalls()
	if err != nil {
		return err
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	var unlisted []string
	for call := range c.sent {
		if !slices.ContainsFunc(listed, func(l *regexp.Regexp) bool { return l.MatchString(call) }) {
			unlisted = append(unlisted, call)
		}
	}
	if len(unlisted) == 0 {
		return nil
	}
	slices.Sort(unlisted)
	return fmt.Errorf("internal/cloudserver/API.md lists no call as in:\n%s", strings.Join(unlisted, "\n"))
}

var (
	listedCall  = regexp.MustCompile("(?m)^#### `([A-Z]+ [^?`]+)[^`]*`$")
	placeholder = regexp.MustCompile(`\\\{[a-z]+\\\}`)
)

// listedCalls returns the calls of API.md, each with any name or ID in its path.
var listedCalls = sync.OnceValues(func() ([]*regexp.Regexp, error) {
	at, err := os.Getwd() // tests run in their package's directory
	if err != nil {
		return nil, err
	}
	const page = "internal/cloudserver/API.md"
	text, err := os.ReadFile(filepath.Join(at, page))
	for errors.Is(err, fs.ErrNotExist) && at != filepath.Dir(at) {
		at = filepath.Dir(at)
		text, err = os.ReadFile(filepath.Join(at, page))
	}
	if err != nil {
		return nil, err
	}
	var calls []*regexp.Regexp
	for _, found := range listedCall.FindAllStringSubmatch(string(text), -1) {
		calls = append(calls, regexp.MustCompile("^"+placeholder.ReplaceAllString(regexp.QuoteMeta(found[1]), "[^/]+")+"$"))
	}
	return calls, nil
})
