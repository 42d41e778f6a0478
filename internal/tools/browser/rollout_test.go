package browser

import (
	"fmt"
	"net"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
)

// TestRollout shows the update of eight machines, one of which never comes back, on a computer and on a phone, in light
// and in dark colours. It also makes the picture in the guide.
func TestRollout(t *testing.T) {
	v := newVisit(t, "--boot-time", "6s", "--guest-port", freePort(t), "--clock", "2026-11-20T09:20:00Z", "--seed", eightMachines(t))
	v.run("eight machines", desktop(), scheme("light"), chromedp.Navigate(v.endpoint), counts("on", "8"))
	v.call("PUT", "/_emulator/guests/web4", `{"deaf":true}`)
	update := func(machine string) {
		path := group + "/virtual_machines/" + machine
		for _, call := range [][3]string{
			{"PUT", "", `{"autoreboot_on":false}`}, {"POST", "/signal", `{"signal":"powerdown"}`}, {"GET", "", ""}, {"PUT", "", `{"cores":2}`}, {"PUT", "", `{"autoreboot_on":true,"power_on":true}`}, {"GET", "", ""},
		} {
			v.call(call[0], path+call[1], call[2])
		}
	}
	for _, pair := range [][2]string{{"web1", "web2"}, {"web3", "web4"}} {
		update(pair[0])
		update(pair[1])
		v.run(pair[0]+" is back", counts("booting", "2"), counts("booting", "0"))
	}
	v.call("PUT", group+"/virtual_machines/web8", `{"autoreboot_on":false}`)
	v.call("POST", "/_emulator/staff", `{"event":"host-failure","virtual_machine":"web8"}`)
	v.call("POST", "/_emulator/faults", "POST */vm_create 503 times=2")
	update("web5")
	v.run("during the rollout", counts("booting", "1"), counts("silent", "1"), counts("off", "1"), counts("on", "5"), counts("faults", "1"), shows("web8 host failure: was switched off"),
		chromedp.Poll(`document.querySelector(".bars .status.booting") !== null`, nil), chromedp.Evaluate("new Promise(done => setTimeout(done, 1700))", nil, awaited)) // wait until nothing is highlighted
	v.screenshot("")

	v.isTrue("trouble stands first", `document.querySelector(".machine .name").textContent === "web4" && document.querySelector(".bars .who").textContent === "web4"`)
	v.isTrue("the rollout", `["1 not answering", "1 booting", "3 back", "2 not taken down"].every(text => document.querySelector("#rollout .counts").innerText.includes(text))`)
	v.isTrue("who was down when", `document.querySelectorAll(".bars rect.booting").length >= 5 && document.querySelectorAll(".bars rect.silent").length === 1`)
	v.isTrue("what for", `document.querySelector("#events").innerText.includes("web5 was shut down for an update")`)
	checkLooks(v, "on a computer")
	v.run("dark", scheme("dark"))
	checkLooks(v, "on a computer, dark")
	v.screenshot(".dark")
	v.run("phone", phone(), has("#sections a"))
	checkLooks(v, "on a phone, dark")
	v.run("light", scheme("light"))
	checkLooks(v, "on a phone")
	v.screenshot(".phone")
	var height int
	v.run("height", chromedp.Evaluate("document.documentElement.scrollHeight", &height))
	if height > 2000 {
		t.Errorf("on a phone the page is %d pixels high", height)
	}
	v.run("anchor", chromedp.Evaluate(`document.querySelector("#sections a[href='#requests']").click()`, nil), shows("/signal"))
	v.isTrue("the anchor unfolds the requests and leads to them", `document.getElementById("requests").open && document.getElementById("requests").getBoundingClientRect().top < innerHeight`)
	v.isTrue("the anchors stay in sight", `document.getElementById("sections").getBoundingClientRect().top === 0`)
	checkLooks(v, "on a phone, with requests")
	v.run("menu", chromedp.Evaluate(`document.querySelector(".machine .open").click()`, nil), has(".menu:popover-open"))
	v.isTrue("the menu is in sight", `(() => { const at = document.querySelector(".menu:popover-open").getBoundingClientRect(); return at.left >= 0 && at.right <= innerWidth })()`)

	v.run("answers again", chromedp.Evaluate(`document.querySelector(".menu:popover-open button").click()`, nil), counts("silent", "0"), shows("web4 answers"))
	v.run("one machine", chromedp.Navigate(v.endpoint+"/?show=off"), shows("web8"))
	v.none("only what concerns it", `[...document.querySelectorAll(".machine .name, .event .what b")].map(e => e.textContent).filter(name => name !== "web8")`)
}

// eightMachines writes a seed with eight running machines.
func eightMachines(t *testing.T) string {
	t.Helper()
	var list []string
	for n := range 8 {
		list = append(list, fmt.Sprintf(`{"name":"web%d","cores":1,"power_on":true,"autoreboot_on":true,"last_imaged_with":"bookworm","discs":[{"label":"vda","size":25600}]}`, n+1))
	}
	name := filepath.Join(t.TempDir(), "seed.json")
	world := `{"accounts":[{"name":"demo","groups":[{"name":"default","virtual_machines":[` + strings.Join(list, ",") + `]},{"name":"private","private_vlan":{}}]},{"name":"acme","groups":[{"name":"default"}]}]}`
	if err := os.WriteFile(name, []byte(world), 0o600); err != nil {
		t.Fatal(err)
	}
	return name
}

// freePort returns a port on which guests can answer.
func freePort(t *testing.T) string {
	t.Helper()
	listener, err := (&net.ListenConfig{}).Listen(t.Context(), "tcp4", "127.77.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	_, port, err := net.SplitHostPort(listener.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	if err := listener.Close(); err != nil {
		t.Fatal(err)
	}
	return port
}

// checkLooks checks that nothing is too wide, that rows have one line, that no number is broken, and that colours have
// enough contrast.
func checkLooks(v *visit, where string) {
	v.t.Helper()
	v.isTrue("no scrolling to the side, "+where, "document.documentElement.scrollWidth <= document.documentElement.clientWidth")
	v.none("rows of several lines, "+where, `[...document.querySelectorAll(".more > summary, .bars li, .feed > li > details:not([open]) > summary")]
		.filter(row => row.offsetHeight > 40).map(row => row.innerText)`)
	v.none("names that are cut off, "+where, `[...document.querySelectorAll(".machine .name, .bars .who, .badge, .status, .tile span")]
		.filter(e => e.scrollWidth > e.clientWidth + 1 && getComputedStyle(e).display !== "inline").map(e => e.innerText)`)
	v.none("numbers that are broken, "+where, `(() => {
		const broken = [], texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
		for (let text; (text = texts.nextNode());)
			for (const number of text.nodeValue.matchAll(/\d{6,}/g)) {
				const range = document.createRange();
				range.setStart(text, number.index);
				range.setEnd(text, number.index + number[0].length);
				if (new Set([...range.getClientRects()].map(r => r.top)).size > 1) broken.push(number[0]);
			}
		return broken;
	})()`)
	v.none("colours that cannot be read, "+where, `(() => {
		const parse = colour => colour.match(/[\d.]+/g).map(Number);
		const light = colour => parse(colour).slice(0, 3).map(c => (c /= 255) <= .04045 ? c / 12.92 : ((c + .055) / 1.055) ** 2.4).reduce((sum, c, n) => sum + c * [.2126, .7152, .0722][n], 0);
		const behind = e => { for (; e; e = e.parentElement) { const c = getComputedStyle(e).backgroundColor; if ((parse(c)[3] ?? 1) > 0) return c; } };
		return [...document.querySelectorAll(".tile b, .tile span, .badge, small, .what, .name, .size, .image, .address, time, .status, .count, button, a, h1, h2, h3, summary")]
			.filter(e => e.checkVisibility() && e.innerText.trim() && !e.closest(".deleted") && e.getAnimations().length + (e.closest("li")?.getAnimations().length ?? 0) === 0).flatMap(e => {
				const [a, b] = [light(getComputedStyle(e).color), light(behind(e))].sort((x, y) => y - x), ratio = (a + .05) / (b + .05);
				return ratio < 4.5 ? [e.className + " " + e.innerText.slice(0, 30) + " " + ratio.toFixed(1)] : [];
			});
	})()`)
}
