package e2e_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"slices"
	"strings"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/acctest"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/emulator"
)

// theirs has the objects and changes of somebody else, which must exist after the task.
type theirs struct {
	machines  map[int64]emulator.Machine // machines, which must not change
	wanted    map[int64]keptAs           // machines of the task that somebody wants to keep
	discs     map[int64]string           // labels of discs, on whatever machine
	groups    map[int64]string           // names of groups
	schedules map[int64]bool
	name      string // the reverse name that somebody has set; "": none

	what, value string // what somebody has set on the task's object, and to what; "": nothing
}

// keptAs is how somebody wants to keep a machine.
type keptAs int

const (
	undeleted  keptAs = iota + 1
	deletedToo        // it may be soft-deleted
)

func newTheirs() theirs {
	return theirs{
		machines: map[int64]emulator.Machine{}, wanted: map[int64]keptAs{}, discs: map[int64]string{}, groups: map[int64]string{}, schedules: map[int64]bool{},
	}
}

func (t *theirs) has(machine int64) bool {
	_, ok := t.machines[machine]
	return ok
}

// answersTo reports whether an import ID is that of a machine, or the path of a group, of somebody else.
func (t *theirs) answersTo(id string) bool {
	for group, name := range t.groups {
		if id == text(group) || strings.HasSuffix(id, "/"+name) {
			return true
		}
	}
	return t.has(numberOf(id))
}

// keep records that a machine must stay as it is now.
func (t *theirs) keep(s *scene, id int64) {
	if m, ok := s.service.Machine(id); ok {
		t.machines[id] = m
	}
}

// note records the objects that are not the task's.
func (t *theirs) note(s *scene) {
	own := map[int64]bool{s.own: s.own != 0, s.task.also: s.task.also != 0}
	for _, p := range s.parts {
		if p.typeName() == vmType {
			own[p.id()] = true
		}
	}
	for _, m := range s.service.Machines() {
		if own[m.ID] {
			continue
		}
		t.machines[m.ID] = m
		for _, d := range m.Discs {
			t.discs[d.ID] = d.Label
		}
	}
	for _, g := range s.groups() {
		if g.account != emulator.DemoAccount || g.name != "team" && g.name != "team2" {
			t.groups[g.id] = g.name
		}
	}
}

// settle removes what no longer exists, which was judged already.
func (t *theirs) settle(s *scene) {
	discs := discsOf(s.service.Machines())
	maps.DeleteFunc(t.discs, func(id int64, _ string) bool { return !discs[id] })
	maps.DeleteFunc(t.schedules, func(id int64, _ bool) bool { return !slices.Contains(s.schedules(), id) })
	t.name, t.wanted = "", map[int64]keptAs{}
	for id := range t.machines {
		t.keep(s, id)
	}
}

// aGroup is a group as the service lists it.
type aGroup struct {
	id            int64
	account, name string
}

// groups returns all groups, also those of hidden accounts.
func (s *scene) groups() (all []aGroup) {
	for _, account := range []string{emulator.DemoAccount, "other"} {
		var listed []struct {
			ID   int64
			Name string
		}
		status, text := s.ask(http.MethodGet, "/accounts/"+account+"/groups", "")
		if status != http.StatusOK {
			continue
		}
		s.must(json.Unmarshal([]byte(text), &listed))
		for _, g := range listed {
			all = append(all, aGroup{g.ID, account, g.Name})
		}
	}
	return all
}

// schedules returns the IDs of all backup schedules.
func (s *scene) schedules() (ids []int64) {
	for _, m := range s.service.Machines() {
		for _, d := range m.Discs {
			if d.Backups == nil {
				continue
			}
			for _, schedule := range d.Backups.Schedules {
				ids = append(ids, schedule.ID)
			}
		}
	}
	return ids
}

// reverseName returns the reverse name of an address.
func (s *scene) reverseName(address string) string {
	var answer struct{ RDNS string }
	status, text := s.ask(http.MethodGet, "/ips/"+address, "")
	if status == http.StatusOK {
		s.must(json.Unmarshal([]byte(text), &answer))
	}
	return answer.RDNS
}

// otherService is what another service has at the same address, under the same name of the account: a machine, a group, a
// schedule and a reverse name of somebody else.
type otherService struct {
	name                                 string
	deleted, otherIDs, empty, otherOwner bool // its machines are soft-deleted; nothing has the task's IDs; there are no machines; the accounts have other IDs
}

// Other services that begin to answer within a process, at any request. Both have the same IDs.
var (
	strangersThere = otherService{name: "from now on another service answers, with the same IDs"}
	namesakesThere = otherService{name: "from now on another service answers, with the same IDs, names and groups"}
)

func otherServices() []otherService {
	return []otherService{
		{name: "another service answers"},
		{name: "another service answers, the machine soft-deleted there", deleted: true},
		{name: "another service answers, with other IDs", otherIDs: true},
		{name: otherAccountsThere, empty: true, otherOwner: true},
		{name: noMachinesThere, empty: true},
	}
}

// The other services that cannot be recognised by a hostname.
const (
	noMachinesThere    = "another service answers, without machines"
	otherAccountsThere = "another service answers, with other accounts and no machines"
)

// newOther starts another service.
func (s *scene) newOther(like otherService) *acctest.Emulator {
	other := &acctest.Emulator{Emulator: acctest.NewEmulator(s.t, emulator.Options{}), URL: s.service.URL}
	for _, key := range []string{ownKey, fileKey} {
		other.AddUser(user, userPassword)
		other.AddAPIKey(key, user)
	}
	other.AddAccount("other", false)
	var shift int64
	if like.otherIDs {
		shift = 50_000
		for i := range 20 {
			other.AddGroup(emulator.DemoAccount, fmt.Sprint("there", i), false)
		}
	}
	for _, g := range s.groups() { // so that the IDs are the same
		other.AddGroup(g.account, g.name+"-there", false)
	}
	for _, m := range s.service.Machines() {
		if like.empty {
			break
		}
		m.ID += shift
		m.Name = fmt.Sprint("alien", m.ID)
		m.Group, m.GroupID = "", 0
		for i := range m.Discs {
			m.Discs[i].ID += shift
			m.Discs[i].Label = fmt.Sprint("alien", i)
		}
		other.AddMachine(emulator.DemoAccount, emulator.DefaultGroup, m)
		if like.deleted {
			other.SoftDelete(m.ID)
		}
	}
	owner := []byte("1001")
	if like.otherOwner {
		owner = []byte("7001")
	}
	other.Inject(emulator.Fault{Rewrite: func(status int, header http.Header, body []byte) (int, http.Header, []byte) {
		body = bytes.ReplaceAll(body, []byte("1001"), owner) // the demo account's ID
		return status, header, bytes.ReplaceAll(body, []byte(emulator.ClusterDomain), []byte("cluster.elsewhere"))
	}})
	return other
}

// ownerPaths are the paths of another service under the ID of its account that newOther shows.
type ownerPaths struct{ http.RoundTripper }

// RoundTrip implements http.RoundTripper.
func (p ownerPaths) RoundTrip(r *http.Request) (*http.Response, error) {
	r = r.Clone(r.Context())
	r.URL.Path = strings.Replace(r.URL.Path, "/accounts/7001", "/accounts/1001", 1)
	return p.RoundTripper.RoundTrip(r)
}

// newCopy starts another service whose objects have the same IDs, but other labels of discs and another domain.
// Namesakes are on a staging copy, whose domain is below that of the service. Unless namesakes is set, the names of its
// machines differ as well.
func (s *scene) newCopy(namesakes bool) *acctest.Emulator {
	other := &acctest.Emulator{Emulator: acctest.NewEmulator(s.t, emulator.Options{BootTime: 8 * time.Second, ShutdownTime: 5 * time.Second, CopyTime: 5 * time.Second}), URL: s.service.URL}
	s.must(other.Restore(s.service.Snapshot()))
	other.ResetJournal()
	for _, key := range []string{ownKey, fileKey} {
		other.AddUser(user, userPassword)
		other.AddAPIKey(key, user)
	}
	for _, m := range other.Machines() {
		s.must(other.Change(m.ID, func(m *emulator.Machine) {
			if !namesakes {
				m.Name = fmt.Sprint("alien", m.ID)
			}
		}))
		for i, d := range m.Discs {
			s.must(other.RenameDisc(m.ID, d.Label, fmt.Sprint("alien", i)))
		}
	}
	domain := "cluster.elsewhere"
	if namesakes {
		domain = "staging." + emulator.ClusterDomain
	}
	s.otherDomain = domain
	other.Inject(emulator.Fault{Rewrite: func(status int, header http.Header, body []byte) (int, http.Header, []byte) {
		return status, header, bytes.ReplaceAll(body, []byte(emulator.ClusterDomain), []byte(domain))
	}})
	return other
}

// couldNotKnow reports whether a request reached the other service although nothing could tell: its object was looked at,
// at the right service, at most five seconds before, and the other one has not shown it since. A look that was under way
// when the other service began to answer is such a look, whatever another operation has seen by then. An action or a
// creation that has seen nothing at the right service cannot tell either, nor can a request about what was created there.
func (s *scene) couldNotKnow(c *course, at int) bool {
	r := s.other.Journal()[at]
	shows := func(g emulator.Request) bool {
		switch {
		case isTheirs(g) || g.Method != http.MethodGet || g.Status != http.StatusOK:
			return false
		case strings.HasPrefix(r.Path, "/ips/"):
			return strings.HasPrefix(g.Path, "/ips/") || strings.HasSuffix(g.Path, "/virtual_machines")
		case r.Reached.Machine == 0:
			return strings.Contains(g.Path, "/groups")
		}
		return g.Reached.Machine == r.Reached.Machine && !strings.Contains(g.Path, "/discs") || strings.HasSuffix(g.Path, "/virtual_machines")
	}
	if m := r.Reached.Machine; m != 0 && !slices.ContainsFunc(c.before, func(b emulator.Machine) bool { return b.ID == m }) && s.isLedAstray(c) {
		return true
	}
	began := c.from
	for _, process := range s.processAt {
		if process <= s.stepped.requests {
			began = process
		}
	}
	if m := r.Reached.Machine; m != 0 {
		looksAtIt := func(g emulator.Request) bool {
			return shows(g) && strings.HasSuffix(g.Path, "/virtual_machines/"+text(m))
		}
		underWay := slices.ContainsFunc(s.service.Journal()[s.stepped.requests:c.to], looksAtIt)
		if underWay && !slices.ContainsFunc(s.other.Journal()[:at], looksAtIt) {
			return true
		}
	}
	if s.task.do != nil { // the process of the invocation knows nothing of that of the plan
		began = min(s.processAt[len(s.processAt)-1], s.stepped.requests)
	}
	seen, recent := false, false
	for _, g := range s.service.Journal()[began:s.stepped.requests] {
		if shows(g) {
			seen = seen || s.task.do == nil || strings.HasPrefix(g.Path, "/virtual_machines/")
			recent = recent || r.Time.Sub(g.Time) <= 5*time.Second
		}
	}
	creates := slices.ContainsFunc(c.plans, func(p *acctest.PlanResult) bool {
		return p != nil && (p.Action == acctest.ActionCreate || p.Action == acctest.ActionReplace)
	})
	if !seen && (s.task.do != nil || creates && !slices.ContainsFunc(c.states, func(o *acctest.Object) bool { return o != nil })) {
		return true
	}
	return recent && !slices.ContainsFunc(s.other.Journal()[:at], shows)
}

// discsOf returns the IDs of all discs of machines.
func discsOf(machines []emulator.Machine) map[int64]bool {
	ids := map[int64]bool{}
	for _, m := range machines {
		for _, d := range m.Discs {
			ids[d.ID] = true
		}
	}
	return ids
}

// placeless returns a machine without the names of its group and account, which may be renamed, and of its discs without
// the progress, because copying ends by itself, and without schedules, which are judged by themselves.
func placeless(m emulator.Machine) emulator.Machine {
	m.Account, m.Group, m.Hostname = "", "", ""
	discs := make([]emulator.Disc, len(m.Discs))
	for i, d := range m.Discs {
		discs[i] = emulator.Disc{ID: d.ID, Label: d.Label, Size: d.Size}
		if d.Backups != nil {
			discs[i].Backups = &emulator.Backups{Taken: d.Backups.Taken}
		}
	}
	m.Discs = discs
	return m
}

// isLedAstray reports whether the task creates something at another service, which has answered since the plan. The
// provider cannot recognise this, because a creation has no state that identifies the service.
func (s *scene) isLedAstray(c *course) bool {
	s.ledAstray = s.ledAstray || s.other != nil && (s.wire.gap.process > 1 || s.step.inProcess) &&
		slices.ContainsFunc(c.plans, func(p *acctest.PlanResult) bool {
			return p != nil && (p.Action == acctest.ActionCreate || s.step.inProcess && p.Action == acctest.ActionReplace)
		})
	return s.ledAstray
}

// lost returns what is missing or changed of somebody else's objects.
func (s *scene) lost(c *course) (all []string) {
	now := map[int64]emulator.Machine{}
	for _, m := range s.service.Machines() {
		now[m.ID] = m
	}
	discs := discsOf(s.service.Machines())
	for _, id := range slices.Sorted(maps.Keys(s.theirs.machines)) {
		was := s.theirs.machines[id]
		is, ok := now[id]
		switch {
		case !ok:
			all = append(all, fmt.Sprintf("somebody else's machine %d %q is destroyed", id, was.Name))
		case !cmp.Equal(placeless(was), placeless(is)) && !s.adopted[id] && !s.inState(vmType, id):
			all = append(all, fmt.Sprintf("somebody else's machine %d %q has changed: %s", id, was.Name, cmp.Diff(placeless(was), placeless(is))))
		}
	}
	for _, id := range slices.Sorted(maps.Keys(s.theirs.wanted)) {
		if is, ok := now[id]; (!ok || is.Deleted && s.theirs.wanted[id] == undeleted) && !s.raced(c, id) {
			all = append(all, fmt.Sprintf("machine %d, which somebody has undeleted or renamed, is destroyed", id))
		}
	}
	for _, id := range slices.Sorted(maps.Keys(s.theirs.discs)) {
		if !discs[id] && !s.stepped.removed[id] && !s.isShown(c, emulator.Disc{ID: id, Label: s.theirs.discs[id]}) && !s.racedAny(c) {
			all = append(all, fmt.Sprintf("somebody else's disc %d %q is destroyed", id, s.theirs.discs[id]))
		}
	}
	existing := map[int64]string{}
	for _, g := range s.groups() {
		existing[g.id] = g.name
	}
	for _, id := range slices.Sorted(maps.Keys(s.theirs.groups)) {
		switch was, is := s.theirs.groups[id], existing[id]; {
		case is == "" && !s.stepped.removed[id]:
			all = append(all, fmt.Sprintf("somebody else's group %d %q is destroyed", id, was))
		case is != "" && is != was && !s.adopted[id]:
			all = append(all, fmt.Sprintf("somebody else's group %d %q is %q now", id, was, is))
		}
	}
	for _, id := range slices.Sorted(maps.Keys(s.theirs.schedules)) {
		if !slices.Contains(s.schedules(), id) {
			all = append(all, fmt.Sprintf("somebody else's schedule %d is deleted", id))
		}
	}
	resets := s.parts[s.task.subject].after == nil // otherwise the configuration has the name
	if is := s.reverseName("198.51.100.2"); resets && s.theirs.name != "" && is != s.theirs.name && !s.racedName(c) {
		all = append(all, fmt.Sprintf("somebody else's reverse name %q is %q now", s.theirs.name, is))
	}
	for _, at := range s.strayed(c) {
		if r := s.other.Journal()[at]; (!s.isLedAstray(c) || !isCreation(r)) && (!s.step.inProcess || !s.couldNotKnow(c, at)) {
			all = append(all, fmt.Sprintf("another service was asked to %s %s", r.Method, r.Path))
		}
	}
	return all
}

// strayed returns the requests of a run that changed something at another service.
func (s *scene) strayed(c *course) (all []int) {
	if s.other == nil || s.step.inProcess && c.from > s.stepped.requests { // it has not answered in this run
		return nil
	}
	for at, r := range s.other.Journal() {
		if r.Method != http.MethodGet && r.Reached.Done && r.Path != "/session" {
			all = append(all, at)
		}
	}
	return all
}

// isMisled reports whether the service changed within the process, and another one did what the task asked for before
// anything could tell. Then the state cannot be that of either.
func (s *scene) isMisled(c *course) bool {
	takesOver := s.parts[s.task.subject].kind == rdnsType && s.isLedAstray(c) // a name that is there already, without a request
	return s.step.inProcess && (len(s.strayed(c)) > 0 || takesOver)
}
