package browser

import (
	"bytes"
	"context"
	"fmt"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/log"
	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/chromedp"
)

const group = "/accounts/demo/groups/default"

// visit is an emulator and a browser that shows its page.
type visit struct {
	t          *testing.T
	endpoint   string
	stop       func()
	ctx        context.Context
	complaints func() []string
}

// newVisit starts an emulator and a browser.
func newVisit(t *testing.T, flags ...string) *visit {
	t.Helper()
	v := &visit{t: t}
	v.endpoint, v.stop = startEmulator(t, flags...)
	v.ctx, v.complaints = startBrowser(t)
	return v
}

// run performs actions in the browser.
func (v *visit) run(what string, actions ...chromedp.Action) {
	v.t.Helper()
	timed, cancel := context.WithTimeout(v.ctx, time.Minute)
	defer cancel()
	if err := chromedp.Run(timed, actions...); err != nil {
		var shown string
		_ = chromedp.Run(v.ctx, chromedp.Evaluate("document.body.innerText", &shown)) // for the failure message, if the browser still answers
		v.t.Fatalf("%s: %v; the page shows\n%s", what, err, shown)
	}
}

// isTrue checks that an expression is true.
func (v *visit) isTrue(what, expression string) {
	v.t.Helper()
	var ok bool
	v.run(what, chromedp.Evaluate(expression, &ok))
	if !ok {
		v.t.Errorf("%s: %s is false", what, expression)
	}
}

// none checks that an expression is an empty list of strings.
func (v *visit) none(what, expression string) {
	v.t.Helper()
	var found []string
	v.run(what, chromedp.Evaluate(expression, &found))
	if len(found) > 0 {
		v.t.Errorf("%s: %q", what, found)
	}
}

// shows waits until the page shows a text.
func shows(text string) chromedp.Action {
	return chromedp.Poll("document.getElementById('live').innerText.includes("+quoted(text)+")", nil)
}

// lacks waits until the page does not show a text.
func lacks(text string) chromedp.Action {
	return chromedp.Poll("!document.getElementById('live').innerText.includes("+quoted(text)+")", nil)
}

// has waits until an element exists.
func has(selector string) chromedp.Action {
	return chromedp.Poll("document.querySelector("+quoted(selector)+") !== null", nil)
}

// counts waits until a tile shows a count.
func counts(tile, count string) chromedp.Action {
	return chromedp.Poll("document.querySelector("+quoted(".tile."+tile+" b")+").textContent === "+quoted(count), nil)
}

// focus moves the focus to an element.
func focus(selector string) chromedp.Action {
	return chromedp.Evaluate("document.querySelector("+quoted(selector)+").focus()", nil)
}

// phone sets the window to the width of a phone.
func phone() chromedp.Action { return emulation.SetDeviceMetricsOverride(390, 844, 2, true) }

// desktop sets the window to the width of a computer.
func desktop() chromedp.Action { return emulation.SetDeviceMetricsOverride(1280, 856, 1, false) }

// scheme makes the browser prefer light or dark colours.
func scheme(name string) chromedp.Action {
	return emulation.SetEmulatedMedia().WithFeatures([]*emulation.MediaFeature{{Name: "prefers-color-scheme", Value: name}})
}

// awaited waits for the promise that an expression returns.
func awaited(p *runtime.EvaluateParams) *runtime.EvaluateParams { return p.WithAwaitPromise(true) }

// quoted quotes a text for JavaScript and JSON.
func quoted(text string) string {
	return `"` + strings.NewReplacer(`\`, `\\`, `"`, `\"`, "\u202e", `\u202e`).Replace(text) + `"`
}

// startEmulator starts the program and returns its endpoint.
func startEmulator(t *testing.T, flags ...string) (endpoint string, stop func()) {
	t.Helper()
	program := os.Getenv("PROVIDER")
	if program == "" {
		t.Fatal("PROVIDER is not set: run make test-browser")
	}
	ready := filepath.Join(t.TempDir(), "ready")
	command := exec.CommandContext(t.Context(), program, append([]string{"emulator", "127.0.0.1:0", "--ready-file", ready, "--quiet"}, flags...)...)
	var output bytes.Buffer
	command.Stdout, command.Stderr = &output, &output
	if err := command.Start(); err != nil {
		t.Fatal(err)
	}
	once := sync.OnceFunc(func() {
		_ = command.Process.Kill()
		_ = command.Wait() // killed
	})
	t.Cleanup(once)
	for deadline := time.Now().Add(time.Minute); time.Now().Before(deadline); time.Sleep(20 * time.Millisecond) {
		if content, err := os.ReadFile(ready); err == nil {
			return strings.TrimSpace(string(content)), once
		}
	}
	t.Fatalf("the emulator does not listen: %s", output.String())
	return "", nil
}

// startBrowser starts a browser. It returns a function that lists its complaints: errors of scripts and of the content
// policy, and message boxes.
func startBrowser(t *testing.T) (context.Context, func() []string) {
	t.Helper()
	options := append(chromedp.DefaultExecAllocatorOptions[:], chromedp.NoSandbox, chromedp.DisableGPU, chromedp.WindowSize(1280, 900),
		chromedp.Flag("disable-quic", true), chromedp.Flag("disable-component-update", true))
	if program := os.Getenv("CHROMIUM"); program != "" {
		options = append(options, chromedp.ExecPath(program))
	}
	allocator, cancel := chromedp.NewExecAllocator(t.Context(), options...)
	t.Cleanup(cancel)
	ctx, cancel := chromedp.NewContext(allocator, chromedp.WithErrorf(func(format string, arguments ...any) {
		if text := fmt.Sprintf(format, arguments...); !strings.Contains(text, "EventTopLayerElementsUpdated") { // an event newer than the library
			t.Log(text)
		}
	}))
	t.Cleanup(func() {
		cancel()
		chromedp.FromContext(ctx).Allocator.Wait() // wait until the browser has ended and removed its files
	})
	var mu sync.Mutex
	var seen []string
	note := func(text string) {
		mu.Lock()
		defer mu.Unlock()
		seen = append(seen, text)
	}
	chromedp.ListenTarget(ctx, func(event any) {
		switch event := event.(type) {
		case *page.EventJavascriptDialogOpening:
			note("dialog: " + event.Message)
		case *runtime.EventExceptionThrown:
			note("exception: " + event.ExceptionDetails.Error())
		case *log.EventEntryAdded:
			if !strings.Contains(event.Entry.URL, "favicon") {
				note("log: " + event.Entry.Text)
			}
		}
	})
	if err := chromedp.Run(ctx, log.Enable()); err != nil {
		t.Fatal(err)
	}
	return ctx, func() []string {
		mu.Lock()
		defer mu.Unlock()
		return append([]string{}, seen...)
	}
}

// call sends a request to the service, as the provider does, or to a control path.
func (v *visit) call(method, path, body string) {
	v.t.Helper()
	r, err := http.NewRequestWithContext(v.t.Context(), method, v.endpoint+path, strings.NewReader(body))
	if err != nil {
		v.t.Fatal(err)
	}
	r.Header.Set("Authorization", "Bearer apikey.demo")
	r.Header.Set("Content-Type", "application/json")
	r.Header.Set("User-Agent", "terraform-provider-cloudserver/1.0.0 (Terraform/1.14.0)")
	answer, err := http.DefaultClient.Do(r)
	if err != nil {
		v.t.Fatal(err)
	}
	_ = answer.Body.Close()
}

// screenshot writes a picture of the page to the file named by SCREENSHOT, with a suffix.
func (v *visit) screenshot(suffix string) {
	v.t.Helper()
	name := os.Getenv("SCREENSHOT")
	if name == "" {
		return
	}
	var picture []byte
	v.run("screenshot", chromedp.Evaluate(`document.querySelector(".endpoint code").textContent = "http://127.0.0.1:8787"`, nil), chromedp.CaptureScreenshot(&picture))
	if err := os.WriteFile(strings.TrimSuffix(name, ".png")+suffix+".png", picture, 0o644); err != nil {
		v.t.Fatal(err)
	}
}
