// SPDX-License-Identifier: MPL-2.0

package emulator

import (
	"cmp"
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"net/http"
	"strings"
	"time"
	"unicode/utf8"
)

// The power of a machine (API.md §3). Machine.PowerOn is true while it is on. A machine that is starting is off, with a
// transition under way.

// A restart upgrades oldProfile to newProfile.
const (
	oldProfile = "virtio2011"
	newProfile = "virtio2013"
)

// transition is a change of a machine's power that completes by itself.
type transition struct {
	What  string    `json:"what"` // booting, shuttingDown or reimaging
	Began time.Time `json:"began"`
	Ends  time.Time `json:"ends"`
}

// The transitions.
const (
	booting      = "boot"
	shuttingDown = "shutdown"
	reimaging    = "reimage"
)

// begin starts a transition, in place of one that is under way.
func (m *machine) begin(what string, at time.Time, takes time.Duration) {
	m.UnderWay = &transition{what, at, at.Add(takes)}
}

// finish applies the effect of a transition.
func (e *Emulator) finish(m *machine, t transition) {
	m.UnderWay = nil
	switch t.What {
	case booting:
		e.on(m, t.Ends)
	case shuttingDown:
		e.off(m, t.Ends)
	case reimaging:
		m.AutorebootOn = false
		e.on(m, t.Ends)
	}
}

// boot starts a machine at a time.
func (e *Emulator) boot(m *machine, at time.Time) { m.begin(booting, at, e.options.BootTime) }

// on completes a boot: the first one installs the image, and each one upgrades an old profile that is not locked.
func (e *Emulator) on(m *machine, at time.Time) {
	m.install()
	e.switched(m, true, at)
	m.Head = "head-" + m.ZoneName + "-1"
	if m.HardwareProfile == oldProfile && !m.HardwareProfileLocked {
		m.HardwareProfile = newProfile
	}
}

// off switches a machine off at a time.
func (e *Emulator) off(m *machine, at time.Time) {
	m.UnderWay = nil
	if m.PowerOn {
		e.switched(m, false, at)
	}
	m.Head = ""
	e.keepUp(m, at)
}

// keepUp starts a machine that is off while its autoreboot_on is true, regardless of why it is off.
func (e *Emulator) keepUp(m *machine, at time.Time) {
	if m.AutorebootOn && m.idle() && !m.Deleted {
		e.boot(m, at)
	}
}

// idle reports whether a machine is off and will not come on by itself.
func (m *machine) idle() bool { return !m.PowerOn && m.UnderWay == nil }

// setPower applies the power_on of a PUT, after its autoreboot_on. Switching off is hard. With autoreboot_on it is a
// restart.
func (e *Emulator) setPower(m *machine, on bool, now time.Time) {
	switch {
	case on && m.idle():
		e.boot(m, now)
	case !on && !m.idle():
		e.off(m, now)
	}
}

// runDue carries out everything that is due by now, in the order of time, and reports whether there was anything. An
// effect may start more, counted from its own time.
func (e *Emulator) runDue(now time.Time) (changed bool) {
	for {
		m, at := e.world.nextDue()
		if m == nil || at.After(now) {
			return changed
		}
		changed = true
		if t := m.UnderWay; t != nil && !t.Ends.After(at) {
			e.finish(m, *t)
		}
		for n := range m.Discs {
			m.Discs[n].finishCopy(now)
			e.takeScheduled(&m.Discs[n], now)
		}
	}
}

// nextDue returns the machine for which something is due first, and when, or nil.
func (w *world) nextDue() (first *machine, at time.Time) {
	for _, m := range w.machines {
		due := m.due()
		if due.IsZero() || first != nil && due.After(at) {
			continue
		}
		if first == nil || due.Before(at) || m.ID < first.ID {
			first, at = m, due
		}
	}
	return first, at
}

// due returns when something is next due for a machine, or the zero time if nothing is.
func (m *machine) due() (first time.Time) {
	add := func(at time.Time) {
		if !at.IsZero() && (first.IsZero() || at.Before(first)) {
			first = at
		}
	}
	if m.UnderWay != nil {
		add(m.UnderWay.Ends)
	}
	for n := range m.Discs {
		add(m.Discs[n].CopyEnds)
		for _, b := range m.Discs[n].Backups.Schedules {
			add(b.next())
		}
	}
	return first
}

// signalMachine is POST …/virtual_machines/{vm}/signal (API.md §3): only on a machine that is on. reset and sendkey
// have no visible effect.
func signalMachine(c *call) (answer, error) {
	m := c.machine
	signal := c.form.required("signal")
	switch signal {
	case "powerdown", "reset", "":
	case "sendkey":
		c.checkKeys(c.form.required("data"))
	default:
		c.form.problems.add("signal", notListed)
	}
	if err := c.form.problems.err(); err != nil {
		return answer{}, err
	}
	if !m.PowerOn {
		return answer{}, refuse(http.StatusBadRequest, "the virtual machine is off")
	}
	ignored := m.IgnoresPowerdown || c.e.options.IgnorePowerdown
	if signal == "powerdown" && !ignored && m.UnderWay == nil { // a second signal does not restart the reaction
		m.begin(shuttingDown, c.now, c.e.options.ShutdownTime)
	}
	return reply("", map[string]string{"signal": signal})
}

// checkKeys checks a dash-separated list of keys, such as ctrl-alt-delete, against the definitions.
func (c *call) checkKeys(keys string) {
	for key := range strings.SplitSeq(keys, "-") {
		if keys != "" && !c.world.accepts("sendkeys", key) {
			c.form.problems.add("data", notListed)
			return
		}
	}
}

// image is an image to install. Secrets are kept as SHA-256 sums.
type image struct {
	Distribution          string `json:"distribution"`
	RootPasswordSHA256    string `json:"root_password_sha256,omitempty"`
	FirstbootScriptSHA256 string `json:"firstboot_script_sha256,omitempty"`
	SSHPublicKey          string `json:"ssh_public_key,omitempty"`
}

// image decodes a reimage object. If there is no root password, one is generated, unless it is required. The answer
// echoes the distribution and the root password.
func (c *call) image(f form, passwordRequired bool) (i *image, echo map[string]string) {
	distribution := f.required("distribution")
	if distribution != "" && !c.world.accepts("distributions", distribution) {
		f.problems.add("distribution", notListed)
	}
	var password string
	if passwordRequired {
		password = f.required("root_password")
	} else {
		password = cmp.Or(or(f.text("root_password"), ""), rand.Text())
	}
	if n := utf8.RuneCountInString(password); n > 0 && n < minRootPass {
		f.problems.add("root_password", tooShort, minRootPass)
	}
	return &image{
		Distribution:          distribution,
		RootPasswordSHA256:    sum(password),
		FirstbootScriptSHA256: sum(or(f.text("firstboot_script"), "")),
		SSHPublicKey:          or(f.text("ssh_public_key"), ""),
	}, map[string]string{"distribution": distribution, "root_password": password}
}

// reimageMachine is POST …/virtual_machines/{vm}/reimage (API.md §3): only on a machine that is off and stays so.
func reimageMachine(c *call) (answer, error) {
	m := c.machine
	i, echo := c.image(c.form, true)
	if err := c.form.problems.err(); err != nil {
		return answer{}, err
	}
	if !m.idle() {
		return answer{}, refuse(http.StatusBadRequest, "the virtual machine is not off")
	}
	m.Image = i
	m.begin(reimaging, c.now, c.e.options.BootTime)
	return reply("reimage", echo)
}

// install completes a reimage, if there is an image to install.
func (m *machine) install() {
	if m.Image == nil {
		return
	}
	m.LastImagedWith = m.Image.Distribution
	m.RootPasswordSet = m.Image.RootPasswordSHA256 != ""
	m.RootPasswordSHA256 = m.Image.RootPasswordSHA256
	m.FirstbootScriptSHA256 = m.Image.FirstbootScriptSHA256
	m.SSHPublicKey = m.Image.SSHPublicKey
	m.Images++
	m.Image = nil
}

// sum returns the SHA-256 of a secret in hex, or "" for "".
func sum(secret string) string {
	if secret == "" {
		return ""
	}
	digest := sha256.Sum256([]byte(secret))
	return hex.EncodeToString(digest[:])
}
