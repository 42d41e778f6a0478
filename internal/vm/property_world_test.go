package vm_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/acctest"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/emulator"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/emulator/variants"
)

// life is a sequence of configurations: a service, a state with some instances, and the story of what happened.
type life struct {
	t          *testing.T
	rng        *rand.Rand
	e          *acctest.Emulator
	options    emulator.Options
	settings   object
	instances  []*instance
	others     map[int64]emulator.Machine // machines in no state, which must not change
	groups     []groupOfLife
	detached   []emulator.Disc
	relabelled map[int64]bool // discs whose label somebody else has changed
	story      []string
}

// instance is one instance of the resource.
type instance struct {
	name   string
	o      *acctest.Object
	was    *wish // the configuration of the last successful apply; nil: none
	wish   *wish // nil: to be destroyed
	calm   bool  // nothing was changed outside Terraform since then
	forced bool  // -replace

	refreshed string // diagnostics of the refreshes

	agreed *acctest.PlanResult // the first plan, which the machine must match in the end; nil: it need not
}

type groupOfLife struct {
	account, name string
	id            int64
	address       string // a free address; "" on the public network
}

func newLife(t *testing.T, rng *rand.Rand) *life {
	variant := variants.Variant{Name: "plain"}
	if chance(rng, 2) {
		variant = pick(rng, variants.All()...)
	}
	o := variant.Options
	o.BootTime, o.ShutdownTime, o.CopyTime = max(o.BootTime, pick(rng, 0, 30*time.Second, time.Minute)), pick(rng, 0, 7*time.Second, 3*time.Minute), 5*time.Minute
	o.GuestBoot = pick(rng, 0, time.Minute, 2*time.Minute)
	o.IDsWin = o.IDsWin || chance(rng, 3)
	o.DottedGroups = true
	if o.UnknownFor > 0 { // longer than the wait before the first look after a creation
		o.UnknownFor = pick(rng, o.UnknownFor, 4*time.Second)
		o.BootTime = max(o.BootTime, 2*o.UnknownFor)
	}
	l := &life{t: t, rng: rng, options: o, others: map[int64]emulator.Machine{}, relabelled: map[int64]bool{}}
	l.e = &acctest.Emulator{Emulator: acctest.NewEmulator(t, o), URL: "http://127.0.0.1"}
	l.e.AddAccount("other", false)
	for _, path := range []string{
		"demo/default", "demo/private", "demo/team.a", "demo/" + strings.Repeat("g", 63), "demo/grüße", "demo/web1",
		"other/default", "other/private", "other/a", "other/42",
	} {
		account, name, _ := strings.Cut(path, "/")
		l.e.AddGroup(account, name, name == "private")
		m := probeMachine(l.e, account, name)
		l.groups = append(l.groups, groupOfLife{account: account, name: name, id: m.GroupID})
		if name == "private" {
			l.groups[len(l.groups)-1].address = ipv4Of(m)
		}
	}
	l.settings = object{"account": pick(rng, "demo", "demo", "other"), "group": pick(rng, nil, nil, any("private"))}
	for i := range pick(rng, 1, 1, 2, 3) {
		s := &instance{name: string(rune('a' + i))}
		first := l.mutate(wish{config: named("web-"+s.name, mayStop)})
		s.wish = &first
		l.instances = append(l.instances, s)
	}
	l.record("service %q, ids win: %t, account %v, group %v", variant.Name, o.IDsWin, l.settings["account"], l.settings["group"])
	return l
}

func (l *life) record(format string, arguments ...any) {
	l.story = append(l.story, fmt.Sprintf(format, arguments...))
}

// fail ends the test, and prints the story.
func (l *life) fail(format string, arguments ...any) {
	l.t.Helper()
	l.t.Fatalf("%s\n\nwhat happened:\n%s", fmt.Sprintf(format, arguments...), strings.Join(l.story, "\n"))
}

// process starts a provider process, as each walk of Terraform does.
func (l *life) process() *acctest.Driver {
	return l.e.NewDriver(l.t, l.settings).OneRun()
}

func (l *life) drawName() string {
	return pick(l.rng, "web1", "web2", "web3", "db-1", "1web", strings.Repeat("n", 63), "default", fmt.Sprintf("node%d", l.rng.IntN(20)))
}

// drawLocation draws a group by name or by ID, or none, so that the provider's default applies.
func (l *life) drawLocation(w wish) {
	for _, path := range []string{"account", "group", "group_id"} {
		w.set(path, nil)
	}
	switch p := pick(l.rng, l.groups...); l.rng.IntN(4) {
	case 0:
		p.put(w)
	case 1:
		w.set("account", p.account)
		w.set("group_id", idOf(p.id))
	case 2:
		if p.account == l.settings["account"] {
			w.set("group", p.name)
		}
	}
}

// put sets account and group of the configuration.
func (p groupOfLife) put(w wish) {
	w.set("account", p.account)
	w.set("group", p.name)
	w.set("group_id", nil)
}

// machine returns the machine of an instance.
func (l *life) machine(s *instance) (emulator.Machine, bool) {
	if s.o == nil {
		return emulator.Machine{}, false
	}
	return l.e.Machine(parsed(s.o.Get("id")))
}

// rest waits until service and guests have finished everything.
func (l *life) rest() { time.Sleep(10 * time.Minute) }

// separateNames changes names so that no two instances want the same one.
func (l *life) separateNames() {
	taken := map[string]bool{}
	for _, s := range l.instances {
		if s.wish == nil {
			continue
		}
		for taken[s.wish.name()] {
			s.wish.set("name", fmt.Sprintf("free%d", l.rng.IntN(1000)))
			s.agreed = nil
		}
		taken[s.wish.name()] = true
	}
}

// allowedEnds are phrases of the errors that can occur without a fault, and that a user can act on.
var allowedEnds = []string{
	"already been taken", "already exists", "holds the name", "has no group", "No such group", "Conflicting group and group_id", "cannot be distinguished", "is named", "Cannot plan the addresses", "belongs to the account", "deletion_protection", "under the same name", "where it is", "Cannot shrink",
	"Cannot change the storage grade", "Cannot change the boot disc", "is already managed as", "that neither the state nor the last refresh knows", "Cannot add disc", "is on another machine", "without a restart",
	"Cannot plan the image", "Two machines of this configuration are", "Conflicting power settings",
	"must not be digits only", "digits only", "has discs that the configuration lacks", "is not included in the list", "can't be blank", "is invalid",
	"Correct the configuration", "already in use", "leads to", "other machine", "Cannot purge disc", "Cannot reimage virtual machine", "Cannot destroy virtual machine",
}

func isLegitimate(diags []*tfprotov6.Diagnostic) bool {
	for _, d := range acctest.Errors(diags) {
		words := acctest.DiagText([]*tfprotov6.Diagnostic{d})
		if !slices.ContainsFunc(allowedEnds, func(phrase string) bool { return strings.Contains(words, phrase) }) || blamesProvider(words) {
			return false
		}
	}
	return true
}

// blamesProvider reports whether Terraform or its framework calls the error a bug.
func blamesProvider(text string) bool {
	for _, phrase := range []string{"issue in the provider", "issue with the provider", "problem with the provider", "error in the provider", "bug in the provider", "provider developer"} {
		if strings.Contains(text, phrase) {
			return true
		}
	}
	return false
}
