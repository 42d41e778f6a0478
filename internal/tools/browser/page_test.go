package browser

import (
	"bytes"
	"context"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/log"
	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

const group = "/accounts/demo/groups/default"

// hostile is a label that does harm wherever it is not escaped.
const hostile = `"><img src=x onerror=alert(1)><script>document.title='taken'</script>` + "\u202egpj.exe"

// TestPage takes the page through a machine's life. It changes by itself, runs nothing that a name contains, fits a phone,
// is dark where that is preferred, and works without JavaScript.
func TestPage(t *testing.T) {
	endpoint, stop := startEmulator(t)
	ctx, complaints := startBrowser(t)
	run := func(what string, actions ...chromedp.Action) {
		t.Helper()
		timed, cancel := context.WithTimeout(ctx, 20*time.Second)
		defer cancel()
		if err := chromedp.Run(timed, actions...); err != nil {
			t.Fatalf("%s: %v", what, err)
		}
	}
	shows := func(text string) chromedp.Action {
		return chromedp.Poll("document.getElementById('live').innerText.includes("+quoted(text)+")", nil)
	}
	lacks := func(text string) chromedp.Action {
		return chromedp.Poll("!document.getElementById('live').innerText.includes("+quoted(text)+")", nil)
	}
	has := func(selector string) chromedp.Action {
		return chromedp.Poll("document.querySelector("+quoted(selector)+") !== null", nil)
	}
	isTrue := func(what, expression string) {
		t.Helper()
		var ok bool
		run(what, chromedp.Evaluate(expression, &ok))
		if !ok {
			t.Errorf("%s: %s is false", what, expression)
		}
	}

	run("empty", chromedp.Navigate(endpoint), shows("No virtual machines"), shows("No requests yet"))
	// From here on nothing loads the page again.
	run("marked", chromedp.Evaluate("window.marked = true", nil))

	call(t, "POST", endpoint+group+"/vm_create", `{"virtual_machine":{"name":"web1","cores":2,"memory":4096,"power_on":true},
		"discs":[{"label":"vda","size":25600},{"label":`+quoted(hostile)+`,"size":1048576,"storage_grade":"archive"}],"reimage":{"distribution":"bookworm","root_password":"correct horse"}}`)
	run("created", shows("web1.default.demo"), shows("installing bookworm"), shows("<img src=x onerror=alert(1)>"), shows("1 TiB"), shows("vm_create"))
	run("started", lacks("installing bookworm"), has(".machine .badge.good"))
	call(t, "PUT", endpoint+group+"/virtual_machines/web1", `{"cores":64}`)
	run("refused", shows("cores cannot be changed while the virtual machine is on"))
	call(t, "POST", endpoint+"/_emulator/faults", "GET /definitions 503 times=1")
	run("fault", shows("GET /definitions 503 times=1"))
	run("details", chromedp.Evaluate(`document.querySelector(".more").open = true; document.querySelector("#requests details").open = true; true`, nil))
	screenshot(t, run, "")

	// What has the focus, what is selected and what is unfolded stay while the page changes.
	run("focus", chromedp.Evaluate(`document.querySelector(".more summary").focus(); getSelection().selectAllChildren(document.querySelector(".machine h4")); true`, nil))
	call(t, "POST", endpoint+group+"/virtual_machines/web1/discs", `{"label":"data","size":100}`)
	run("disc", shows("data 100 MiB"))
	isTrue("the focus stays", `document.activeElement === document.querySelector(".more summary")`)
	isTrue("the selection stays", `getSelection().toString().includes("web1")`)
	isTrue("what is unfolded stays", `document.querySelector(".more").open && [...document.querySelectorAll("#requests details")].some(d => d.open)`)

	// By keyboard alone: an event is asked about, and Escape is no.
	focus := func(selector string) chromedp.Action {
		return chromedp.Evaluate("document.querySelector("+quoted(selector)+").focus()", nil)
	}
	run("asked", focus(".more button"), chromedp.KeyEvent(kb.Enter), has("dialog[open]"))
	isTrue("the question", `document.getElementById("question").textContent === "Let the host of web1 fail?"`)
	run("refused", chromedp.KeyEvent(kb.Escape), chromedp.Poll(`!document.querySelector("dialog[open]")`, nil), shows("1 on"))
	// The browser tells that a question was closed a frame later, when the next one may be open.
	run("asked again at once", chromedp.Evaluate(`for (const i of [1, 2]) { document.getElementById("ask").close(); document.querySelector(".more button").click(); }`, nil))
	run("agreed", has("dialog[open]"), chromedp.KeyEvent(kb.Tab), chromedp.KeyEvent(kb.Enter), shows("0 on"))
	run("clock", chromedp.Evaluate(`document.querySelector("#controls details").open = true`, nil), focus("[name=advance]"), chromedp.KeyEvent("48h"), chromedp.KeyEvent(kb.Enter))
	run("another fault", chromedp.Evaluate(`document.querySelectorAll("#controls details")[1].open = true`, nil), focus("#controls [name='']"),
		chromedp.KeyEvent("PUT * 418"), chromedp.KeyEvent(kb.Enter), shows("PUT * 418"), shows("acted 0 of 0 times"))
	run("filter", focus("#filter-requests"), chromedp.KeyEvent("vm_create"), chromedp.Poll(`document.querySelectorAll("#requests li:not([hidden])").length === 1`, nil))

	// The types of the library do not know all that a browser answers.
	type property struct {
		Value any `json:"value"`
	}
	var tree struct {
		Nodes []struct {
			Ignored bool     `json:"ignored"`
			Role    property `json:"role"`
			Name    property `json:"name"`
		} `json:"nodes"`
	}
	run("accessibility tree", chromedp.ActionFunc(func(ctx context.Context) error {
		return chromedp.FromContext(ctx).Target.Execute(ctx, "Accessibility.getFullAXTree", nil, &tree)
	}))
	found := map[string]bool{}
	for _, node := range tree.Nodes {
		role, _ := node.Role.Value.(string)
		name, _ := node.Name.Value.(string)
		found[role+" "+strings.Join(strings.Fields(name), " ")] = !node.Ignored
		if !node.Ignored && name == "" && slices.Contains([]string{"button", "link", "textbox", "searchbox", "combobox", "progressbar"}, role) {
			t.Errorf("a %s has no name", role)
		}
	}
	for _, want := range []string{"heading Access", "button Close account demo", "button Host failure", "searchbox Show requests with", "textbox Method, path and effect"} {
		if !found[want] {
			t.Errorf("the accessibility tree lacks %q in %v", want, found)
		}
	}

	isTrue("nothing was loaded again", "window.marked === true")
	isTrue("a name did not run", "document.title === 'Cloud server emulator'")
	isTrue("no image of a name", "document.querySelector('img') === null")
	isTrue("no secret", "!document.documentElement.innerHTML.includes('correct horse')")
	isTrue("no direction override", `!document.documentElement.innerHTML.includes('\u202e')`)

	run("phone", emulation.SetDeviceMetricsOverride(400, 800, 2, true), has("#live"))
	isTrue("a phone needs no scrolling to the side", "document.documentElement.scrollWidth <= document.documentElement.clientWidth")
	const background = "getComputedStyle(document.body).backgroundColor"
	var light, dark string
	screenshot(t, run, ".phone")
	run("dark", chromedp.Evaluate(background, &light),
		emulation.SetEmulatedMedia().WithFeatures([]*emulation.MediaFeature{{Name: "prefers-color-scheme", Value: "dark"}}), chromedp.Evaluate(background, &dark))
	screenshot(t, run, ".dark")
	if light == dark {
		t.Errorf("light and dark are %s", light)
	}

	call(t, "DELETE", endpoint+group+"/virtual_machines/web1", "")
	run("soft-deleted", has(".machine.deleted"))
	call(t, "DELETE", endpoint+group+"/virtual_machines/web1?purge=true", "")
	run("purged", shows("No virtual machines"))

	run("without JavaScript", emulation.SetScriptExecutionDisabled(true), chromedp.Navigate(endpoint), chromedp.WaitReady("#requests ol"))
	run("with JavaScript", emulation.SetScriptExecutionDisabled(false), chromedp.Navigate(endpoint), shows("No virtual machines"))
	if seen := complaints(); len(seen) > 0 {
		t.Errorf("the browser complained:\n%s", strings.Join(seen, "\n"))
	}
	stop()
	run("stopped", chromedp.Poll("document.getElementById('pulse').innerText.includes('no connection')", nil))
	isTrue("what is old is grey", "getComputedStyle(document.querySelector('main')).filter.includes('grayscale')")
}

// quoted returns a text as JavaScript and JSON write it.
func quoted(text string) string {
	return `"` + strings.NewReplacer(`\`, `\\`, `"`, `\"`, "\u202e", `\u202e`).Replace(text) + `"`
}

// startEmulator starts the built program and returns its endpoint.
func startEmulator(t *testing.T) (endpoint string, stop func()) {
	t.Helper()
	program := os.Getenv("PROVIDER")
	if program == "" {
		t.Fatal("PROVIDER is not set: run make test-browser")
	}
	ready := filepath.Join(t.TempDir(), "ready")
	command := exec.CommandContext(t.Context(), program, "-emulator", "127.0.0.1:0", "-ready-file", ready, "-quiet", "-boot-time", "3s")
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
	for deadline := time.Now().Add(20 * time.Second); time.Now().Before(deadline); time.Sleep(20 * time.Millisecond) {
		if content, err := os.ReadFile(ready); err == nil {
			return strings.TrimSpace(string(content)), once
		}
	}
	t.Fatalf("the emulator does not listen: %s", output.String())
	return "", nil
}

// startBrowser starts a browser and returns what it complains about: errors of scripts and of the content policy, and
// message boxes.
func startBrowser(t *testing.T) (context.Context, func() []string) {
	t.Helper()
	options := append(chromedp.DefaultExecAllocatorOptions[:], chromedp.NoSandbox, chromedp.DisableGPU, chromedp.WindowSize(1280, 900),
		chromedp.Flag("disable-quic", true), chromedp.Flag("disable-component-update", true))
	if program := os.Getenv("CHROMIUM"); program != "" {
		options = append(options, chromedp.ExecPath(program))
	}
	allocator, cancel := chromedp.NewExecAllocator(t.Context(), options...)
	t.Cleanup(cancel)
	ctx, cancel := chromedp.NewContext(allocator)
	t.Cleanup(func() {
		cancel()
		chromedp.FromContext(ctx).Allocator.Wait() // until the browser has ended and its files are gone
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

// call makes a request of the service.
func call(t *testing.T, method, url, body string) {
	t.Helper()
	r, err := http.NewRequestWithContext(t.Context(), method, url, strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	r.Header.Set("Authorization", "Bearer apikey.demo")
	r.Header.Set("Content-Type", "application/json")
	answer, err := http.DefaultClient.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	_ = answer.Body.Close()
}

// screenshot writes a picture of the page to the file that SCREENSHOT names.
func screenshot(t *testing.T, run func(string, ...chromedp.Action), suffix string) {
	t.Helper()
	name := os.Getenv("SCREENSHOT")
	if name == "" {
		return
	}
	name = strings.TrimSuffix(name, ".png") + suffix + ".png"
	var picture []byte
	run("screenshot", chromedp.CaptureScreenshot(&picture))
	if err := os.WriteFile(name, picture, 0o644); err != nil {
		t.Fatal(err)
	}
}
