package browser

import (
	"context"
	"slices"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

// hostile is a label that does harm wherever it is not escaped.
const hostile = `"><img src=x onerror=alert(1)><script>document.title='taken'</script>` + "\u202egpj.exe"

// TestPage follows a machine's life on the page. The page updates without a reload, never executes names, can be used
// with the keyboard alone, and works without JavaScript.
func TestPage(t *testing.T) {
	v := newVisit(t, "--boot-time", "3s")
	v.run("empty", chromedp.Navigate(v.endpoint), shows("No virtual machines yet"), shows("Nothing has happened yet"), shows("3 groups without machines"), shows("export CLOUDSERVER_TOKEN"))
	// From here on the page is not loaded again.
	v.run("marked", chromedp.Evaluate("window.marked = true", nil))

	v.call("POST", group+"/vm_create", `{"virtual_machine":{"name":"web1","cores":2,"memory":4096,"power_on":true},
		"discs":[{"label":"vda","size":25600},{"label":`+quoted(hostile)+`,"size":1048576,"storage_grade":"archive"}],"reimage":{"distribution":"bookworm","root_password":"correct horse"}}`)
	v.run("created", shows("installing bookworm"), shows("web1 was created, bookworm is being installed"), counts("booting", "1"), has(".machine progress"))
	v.run("details", chromedp.Evaluate(`for (const d of document.querySelectorAll(".more, #access, #requests")) d.open = true`, nil),
		shows("web1.default.demo"), shows("<img src=x onerror=alert(1)>"), shows("1 TiB"), shows("vm_create"))
	v.run("started", lacks("installing bookworm"), has(".machine .badge.on"), counts("on", "1"), counts("booting", "0"), shows("web1 bookworm was installed, is on"))
	v.call("PUT", group+"/virtual_machines/web1", `{"cores":64}`)
	v.run("refused", shows("web1 change refused: cores cannot be changed while the virtual machine is on (400)"))
	v.call("POST", "/_emulator/faults", "GET /definitions 503 times=1")
	v.run("fault", shows("GET /definitions 503 times=1"), shows("has acted 0 of 1 time, no request has matched"), counts("faults", "1"))
	v.call("GET", "/definitions", "")
	v.run("fault acted", shows("read refused: Service Unavailable (503), by the fault GET /definitions 503 times=1"), counts("faults", "0"))

	// The focus, the selection and unfolded elements survive updates of the page.
	v.run("focus", chromedp.Evaluate(`document.querySelector("#events details").open = true; document.querySelector(".more summary").focus();
		getSelection().selectAllChildren(document.querySelector(".machine .name")); true`, nil))
	v.call("POST", group+"/virtual_machines/web1/discs", `{"label":"data","size":100}`)
	v.run("disc", shows("web1 disc data added, 100 MiB"))
	v.isTrue("the focus stays", `document.activeElement === document.querySelector(".more summary")`)
	v.isTrue("the selection stays", `getSelection().toString().includes("web1")`)
	v.isTrue("what is unfolded stays", `document.querySelector(".more").open && [...document.querySelectorAll("#events .event details")].some(d => d.open)`)

	// With the keyboard alone: the buttons of a machine. An event asks for confirmation, and Escape means no.
	v.run("menu", focus(".machine .open"), chromedp.KeyEvent(kb.Enter), has(".menu:popover-open"))
	v.isTrue("the menu is beside its button", `(() => { const menu = document.querySelector(".menu").getBoundingClientRect(), button = document.querySelector(".machine .open").getBoundingClientRect();
		return Math.abs(menu.top - button.bottom) < 40 || Math.abs(menu.bottom - button.top) < 40 })()`)
	v.run("host failure", chromedp.KeyEvent(kb.Tab), chromedp.KeyEvent(kb.Tab), chromedp.Poll(`document.activeElement.textContent === "Host failure"`, nil), chromedp.KeyEvent(kb.Enter), has("dialog[open]"))
	v.isTrue("the question", `document.getElementById("question").textContent === "Let the host of web1 fail? The machine goes off."`)
	v.run("refused", chromedp.KeyEvent(kb.Escape), chromedp.Poll(`!document.querySelector("dialog[open]")`, nil), counts("on", "1"))
	// The browser reports a closed dialog one frame later, when the next dialog may be open.
	v.run("asked again at once", chromedp.Evaluate(`for (const i of [1, 2]) { document.getElementById("ask").close(); document.querySelectorAll(".menu button")[1].click(); }`, nil))
	v.call("PUT", group+"/virtual_machines/web1", `{"autoreboot_on":false}`)
	v.run("agreed", has("dialog[open]"), chromedp.KeyEvent(kb.Tab), chromedp.KeyEvent(kb.Enter), counts("on", "0"), counts("off", "1"), shows("web1 host failure: was switched off"), shows("staff"))
	v.run("clock", focus("[popovertarget=control-clock]"), chromedp.KeyEvent(kb.Enter), has("#control-clock:popover-open"), focus("[name=advance]"), chromedp.KeyEvent("48h"), chromedp.KeyEvent(kb.Enter),
		shows("the clock was put to"), chromedp.KeyEvent(kb.Escape), chromedp.Poll(`!document.querySelector(":popover-open")`, nil))
	v.run("no fault", focus("[popovertarget=control-fault]"), chromedp.KeyEvent(kb.Enter), focus("#control-fault [name='']"), chromedp.KeyEvent("PUT nothing"), chromedp.KeyEvent(kb.Enter),
		chromedp.Poll(`document.querySelector("#control-fault .answer").textContent.includes("invalid fault")`, nil))
	v.run("another fault", chromedp.Evaluate(`document.querySelector("#control-fault [name='']").value = ""`, nil), focus("#control-fault [name='']"), chromedp.KeyEvent("PUT * 418"), chromedp.KeyEvent(kb.Enter),
		shows("PUT * 418"), chromedp.Poll(`!document.querySelector(":popover-open")`, nil))
	v.run("another event", focus(".machine .open"), chromedp.KeyEvent(kb.Enter), chromedp.Evaluate(`document.querySelector(".menu [data-fill]").click()`, nil), has("#control-event:popover-open"))
	v.isTrue("the machine is filled in", `document.querySelector("#control-event [name=virtual_machine]").value.startsWith("web1.default.demo.")`)
	v.run("closed", chromedp.KeyEvent(kb.Escape), chromedp.Poll(`!document.querySelector(":popover-open")`, nil))

	// Tiles and the search filter the page, and its address contains the filter.
	v.run("tile", focus(".tile.on"), chromedp.KeyEvent(kb.Enter), shows("No machine is chosen"), has(".tile.on[aria-current=true]"))
	v.isTrue("the address", `location.search === "?show=on"`)
	v.run("back", chromedp.Evaluate("history.back()", nil), has(".machine"), chromedp.Poll(`location.search === ""`, nil))
	v.run("search", focus("#search"), chromedp.KeyEvent("disc data"), chromedp.Poll(`document.querySelectorAll(".event").length === 1 && location.search === "?q=disc+data"`, nil))
	v.run("everything", chromedp.Evaluate(`document.activeElement.blur(); document.querySelector(".clear").click()`, nil), chromedp.Poll(`document.querySelectorAll(".event").length > 5 && document.getElementById("search").value === ""`, nil))

	checkAccessibility(v)
	v.isTrue("nothing was loaded again", "window.marked === true")
	v.isTrue("a name did not run", "document.title === 'Cloud server emulator'")
	v.isTrue("no image of a name", "document.querySelector('img') === null")
	v.isTrue("no secret", "!document.documentElement.innerHTML.includes('correct horse')")
	v.isTrue("no direction override", `!document.documentElement.innerHTML.includes('\u202e')`)

	v.call("DELETE", "/_emulator/faults", "")
	v.call("DELETE", group+"/virtual_machines/web1", "")
	v.run("soft-deleted", has(".machine.deleted"), shows("1 deleted"))
	v.call("DELETE", group+"/virtual_machines/web1?purge=true", "")
	v.run("purged", shows("No virtual machines"), shows("web1 was purged"))

	v.run("without JavaScript", emulation.SetScriptExecutionDisabled(true), chromedp.Navigate(v.endpoint), chromedp.WaitReady("#requests ol"), chromedp.WaitReady(".tile"))
	v.run("away", chromedp.Navigate("about:blank"), emulation.SetScriptExecutionDisabled(false)) // where the page does not load itself again
	v.run("with JavaScript", chromedp.Navigate(v.endpoint+"/#access"), chromedp.WaitReady("#access[open]"))
	v.run("anchor", shows("No virtual machines"), shows("CLOUDSERVER_ENDPOINT"))
	seen := slices.DeleteFunc(v.complaints(), func(line string) bool { return strings.HasSuffix(line, "status of 400 (Bad Request)") }) // expected
	if len(seen) > 0 {
		t.Errorf("the browser complained:\n%s", strings.Join(seen, "\n"))
	}
	v.stop()
	v.run("stopped", chromedp.Poll("document.getElementById('pulse').innerText.includes('no connection')", nil))
	v.isTrue("what is old is grey", "getComputedStyle(document.querySelector('main')).filter.includes('grayscale')")
}

// checkAccessibility checks what a screen reader gets: every control has a name.
func checkAccessibility(v *visit) {
	v.t.Helper()
	// The library's types do not cover all answers of browsers.
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
	v.run("accessibility tree", chromedp.ActionFunc(func(ctx context.Context) error {
		return chromedp.FromContext(ctx).Target.Execute(ctx, "Accessibility.getFullAXTree", nil, &tree)
	}))
	found := map[string]bool{}
	for _, node := range tree.Nodes {
		role, _ := node.Role.Value.(string)
		name, _ := node.Name.Value.(string)
		found[role+" "+strings.Join(strings.Fields(name), " ")] = !node.Ignored
		if !node.Ignored && name == "" && slices.Contains([]string{"button", "link", "textbox", "searchbox", "combobox", "progressbar", "dialog"}, role) {
			v.t.Errorf("a %s has no name", role)
		}
	}
	for _, want := range []string{
		"heading Machines", "heading Events", "heading Requests", "button Close account demo", "button Actions for web1", "searchbox Search machines, events and requests",
		"link 1 off", "navigation Show only", "button Inject fault", "region Faults", "button Remove fault 2",
	} {
		if !found[want] {
			v.t.Errorf("the accessibility tree lacks %q in %v", want, found)
		}
	}
}
