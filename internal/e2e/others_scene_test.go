package e2e_test

import (
	"cmp"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/acctest"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/emulator"
)

// The machines besides the task's own: two with the discs and addresses of schedules and reverse names, and those of
// somebody else.
const (
	holderID, holderDisc   = 9001, 9002 // its second disc
	holder2ID, holder2Disc = 9004, 9005
	farID                  = 9007 // in another account, with a reverse name
	neighbourID            = 9101
	spareID                = 9102 // off, so that a disc can be moved to it
)

// scene is a task at a service that somebody else also uses.
type scene struct {
	*world
	task        task
	tester      *noting
	parts       []*part
	own         int64 // ID of the machine that the task is about; 0: it does not exist yet
	secondDisc  int64 // of that machine
	elsewhere   int64 // ID of a group of the same account
	abroad      int64 // ID of a group of another account
	step        step
	from        begun
	adopted     map[int64]bool // objects that somebody else has created, and that have been in a state
	discsBefore []int64
	processes   int
	running     *acctest.Driver // the last one
	processAt   []int           // how many requests came before each process

	theirs  theirs
	stepped stepped

	current *course
	calming []func() // functions that end trouble that does not end by itself

	other       *acctest.Emulator // another service that answered; nil: none
	otherDomain string            // of its machines, if it began to answer within a process
	ledAstray   bool              // the other service created what was planned for this one, so the state is of two services
}

// stepped is the record of the step.
type stepped struct {
	taken    bool
	requests int            // number of requests before it
	at       time.Time      // when it was taken
	disc     int64          // that it renamed
	ended    time.Time      // end of the trouble that it made
	removed  map[int64]bool // discs and machines that it removed
}

// part is a resource of the task.
type part struct {
	resource
	state *acctest.Object
}

func (p *part) typeName() string { return cmp.Or(p.kind, vmType) }

// id returns the ID in the state, or 0 if there is no state.
func (p *part) id() int64 {
	if p.state == nil {
		return 0
	}
	return acctest.ID(p.state.Get("id"))
}

// course is one run of the task, with its results.
type course struct {
	diags        diagnostics
	plans        []*acctest.PlanResult // one for each part; nil: it was not planned
	applier      int                   // the process that applies; 0: none
	applied      []diagnostics         // of the apply of each part
	states       []*acctest.Object     // of the parts, before the run
	from, to     int                   // its requests in the journal
	began, ended time.Time
	before       []emulator.Machine // machines, groups and schedules of the service before the run
	groups       []aGroup
	schedules    []int64
	broken       []string // rules of core that the provider broke
}

// noting is a test that records errors instead of failing, so that errors can be expected.
type noting struct {
	testing.TB
	mu    sync.Mutex
	noted []string
}

// Error implements testing.TB.
func (n *noting) Error(args ...any) { n.Errorf("%s", fmt.Sprint(args...)) }

// Errorf implements testing.TB.
func (n *noting) Errorf(format string, args ...any) {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.noted = append(n.noted, fmt.Sprintf(format, args...))
}

// drain returns the errors since the last call.
func (n *noting) drain() []string {
	n.mu.Lock()
	defer n.mu.Unlock()
	noted := n.noted
	n.noted = nil
	return noted
}

// newScene sets up a service with the objects that the task's resources refer to, but without the resources themselves.
func newScene(t testing.TB, work task, credentials string) *scene {
	t.Helper()
	options := emulator.Options{BootTime: 8 * time.Second, ShutdownTime: 5 * time.Second, CopyTime: 5 * time.Second, Guests: work.guests}
	if work.guests {
		options.GuestBoot = 20 * time.Second
	}
	if work.hasty {
		options = emulator.Options{BootTime: 3 * time.Second, ShutdownTime: time.Second}
	}
	tester := &noting{TB: t}
	s := &scene{world: newWorldWith(tester, options), task: work, tester: tester}
	s.theirs, s.adopted = newTheirs(), map[int64]bool{}
	s.stepped.removed = map[int64]bool{}
	s.authenticate(credentials)
	s.service.AddAccount("other", false)
	s.abroad = s.service.AddGroup("other", "abroad", false)
	s.elsewhere = s.service.AddGroup(emulator.DemoAccount, "elsewhere", false)
	for id, m := range map[int64]emulator.Machine{
		holderID:    {Name: "holder", Interfaces: []emulator.Interface{{IPs: []string{"198.51.100.2"}}}, Discs: []emulator.Disc{{ID: 9003, Label: "vda", Size: 25600}, {ID: holderDisc, Label: "vdb", Size: 10240}}},
		holder2ID:   {Name: "holder2", Interfaces: []emulator.Interface{{IPs: []string{"198.51.100.3"}}}, Discs: []emulator.Disc{{ID: holder2Disc, Label: "vda", Size: 25600}}},
		neighbourID: {Name: "neighbour", PowerOn: true, AutorebootOn: true, Interfaces: []emulator.Interface{{IPs: []string{"198.51.100.4"}}}, Discs: []emulator.Disc{{ID: 9111, Label: "vda", Size: 25600}}},
		spareID:     {Name: "spare", Interfaces: []emulator.Interface{{IPs: []string{"198.51.100.5"}}}, Discs: []emulator.Disc{{ID: 9112, Label: "vda", Size: 25600}}},
	} {
		m.ID = id
		if s.service.AddMachine(emulator.DemoAccount, emulator.DefaultGroup, m) != id {
			t.Fatalf("machine %d cannot be set up", id)
		}
	}
	s.service.AddMachine("other", "abroad", emulator.Machine{
		ID: farID, Name: "far", Interfaces: []emulator.Interface{{IPs: []string{"198.51.100.6"}}}, Discs: []emulator.Disc{{ID: 9008, Label: "vda", Size: 25600}},
	})
	for _, r := range work.resources {
		if !work.hasty {
			r.before, r.after = patient(r.before), patient(r.after)
		}
		s.parts = append(s.parts, &part{resource: r})
	}
	if kind := work.resources[work.subject].kind; kind == scheduleType || kind == rdnsType {
		s.own = []int64{holderID, holder2ID}[work.subject]
	}
	if work.account != "" {
		s.own = farID
	}
	return s
}

// The ways in which a provider process has its credentials.
const (
	byKey     = ""        // an API key
	bySession = "session" // a session, from user and password
	byFile    = "file"    // a file with an API key
)

const ownKey, fileKey, nextKey = "apikey.own", "apikey.the-first-in-the-file", "apikey.the-second-in-the-file"

func (s *scene) authenticate(credentials string) {
	switch credentials {
	case byKey:
		s.token = ownKey
		s.service.AddAPIKey(ownKey, user)
	case byFile:
		s.service.AddAPIKey(fileKey, user)
		s.tokenFile = filepath.Join(s.t.TempDir(), "token")
		s.writeToken(fileKey)
	}
}

// writeToken replaces the token file in one operation.
func (s *scene) writeToken(text string) {
	temporary := s.tokenFile + ".new"
	s.must(os.WriteFile(temporary, []byte(text), 0o600))
	s.must(os.Rename(temporary, s.tokenFile))
}

func (s *scene) must(err error) {
	s.t.Helper()
	if err != nil {
		s.t.Fatal(err)
	}
}

// process starts a provider process for all resources of the task.
func (s *scene) process() *acctest.Driver {
	s.processes++
	s.wire.begins(s.processes)
	s.processAt = append(s.processAt, len(s.service.Journal()))
	if s.running = s.world.process(); !s.task.hasty { // otherwise it plans and applies
		s.running.OneRun()
	}
	return s.running
}

// begun is the state in which a task starts. It can be replayed without a provider.
type begun struct {
	states   []*acctest.Object
	requests []emulator.Request
	calls    []string // requests of a healthy run that starts there
	others   []string // IDs and names of the machines that somebody else does not change

	machines []emulator.Machine // at the start
	healthy  []emulator.Machine // after the healthy run
}

// isOfAnother reports whether a request is about a machine that somebody else does not change.
func (b begun) isOfAnother(at target) bool {
	return slices.ContainsFunc(b.others, func(element string) bool {
		_, after, found := strings.Cut(at.call, "/virtual_machines/"+element)
		return found && (after == "" || strings.Contains("/?", after[:1]))
	})
}

// prepared applies the configuration from which the task starts. It returns the result, and the requests of a healthy
// run.
func (t task) prepared(tb testing.TB) (b begun) {
	s := newScene(tb, t, bySession)
	for _, p := range s.parts {
		if p.before != nil {
			d := s.world.process()
			p.state = d.MustApply(tb.Context(), p.typeName(), nil, p.before)
			time.Sleep(time.Minute)
		}
		b.states = append(b.states, p.state)
	}
	b.requests = s.service.Journal()
	s.begin()
	b.machines = s.service.Machines()
	c := s.run()
	if acctest.HasErrors(c.diags) {
		tb.Fatalf("the healthy run:\n%s", acctest.DiagText(c.diags))
	}
	s.calm()
	b.healthy = s.service.Machines()
	for i, p := range s.parts {
		if i != t.subject && p.typeName() == vmType {
			b.others = append(b.others, text(p.id()), fmt.Sprint(p.config()["name"]))
			if b.states[i] != nil {
				b.others = append(b.others, fmt.Sprint(b.states[i].Get("id")))
			}
		}
	}
	for _, request := range s.requests(c) {
		call := request.Method + " " + request.Path
		if request.Query != "" {
			call += "?" + request.Query
		}
		b.calls = append(b.calls, call)
	}
	return b
}

// replay restores the state in which the task starts.
func (s *scene) replay(b begun) {
	start{requests: b.requests}.replay(s.world)
	for i, p := range s.parts {
		p.state = b.states[i]
	}
	s.begin()
}

// begin does the rest of what happens before the task.
func (s *scene) begin() {
	for _, p := range s.parts {
		switch {
		case !p.gone:
		case p.kind == scheduleType:
			s.ask(http.MethodDelete, fmt.Sprintf("/accounts/demo/groups/default/virtual_machines/%d/discs/%d/backup_schedules/%d", holderID, holderDisc, p.id()), "")
		default:
			s.service.Purge(p.id())
		}
	}
	if subject := s.parts[s.task.subject]; s.own == 0 && subject.typeName() == vmType {
		s.own = subject.id()
	}
	if m, ok := s.service.Machine(s.own); ok && len(m.Discs) > 1 {
		s.secondDisc = m.Discs[1].ID
	}
	for _, p := range s.parts {
		m, _ := s.service.Machine(p.id())
		for _, d := range m.Discs {
			s.discsBefore = append(s.discsBefore, d.ID)
		}
	}
	if s.task.prepare != nil {
		s.task.prepare(s)
	}
	s.theirs.note(s)
	s.processes = 0
}

// refresh reads all parts again in a new process.
func (s *scene) refresh() {
	d := s.world.process()
	for _, p := range s.parts {
		p.state = d.MustRefresh(s.t.Context(), p.state)
	}
}

// run does the task.
func (s *scene) run() *course {
	c := &course{from: len(s.service.Journal()), began: time.Now(), before: s.service.Machines(), groups: s.groups(), schedules: s.schedules()}
	for _, p := range s.parts {
		c.states = append(c.states, p.state)
	}
	s.current = c
	if s.task.do != nil {
		c.diags = s.task.do(s)
	} else {
		c.diags = s.apply()
	}
	if s.task.expects != (acctest.Kind{}) {
		expected := s.task.expects.Of(c.diags)
		c.diags = slices.DeleteFunc(c.diags, func(d *tfprotov6.Diagnostic) bool { return slices.Contains(expected, d) })
	}
	c.ended, c.to, c.broken = time.Now(), len(s.service.Journal()), s.tester.drain()
	return c
}

// requests returns the requests of a run, without those of somebody else.
func (s *scene) requests(c *course) []emulator.Request {
	return slices.DeleteFunc(s.service.Journal()[c.from:c.to], isTheirs)
}

// apply refreshes and plans all parts in one process, and applies them in another, as Terraform does.
func (s *scene) apply() (diags diagnostics) {
	ctx, d, c := s.t.Context(), s.process(), s.current
	refreshed := make([]*acctest.Object, len(s.parts))
	for i, p := range s.parts {
		refreshed[i] = p.state
		if !s.task.noRefresh {
			read, more := d.Refresh(ctx, p.state)
			refreshed[i], diags = read, append(diags, more...)
		}
	}
	if acctest.HasErrors(diags) {
		return diags
	}
	c.plans, c.applied = make([]*acctest.PlanResult, len(s.parts)), make([]diagnostics, len(s.parts))
	for i, p := range s.parts {
		c.plans[i] = d.Plan(ctx, p.typeName(), refreshed[i], p.after)
		diags = append(diags, c.plans[i].Diagnostics...)
	}
	if acctest.HasErrors(diags) {
		return diags
	}
	if !s.task.hasty {
		d = s.process()
	}
	c.applier = s.processes
	var all sync.WaitGroup
	for i, p := range s.parts {
		do := func() { p.state, c.applied[i] = d.Apply(ctx, p.typeName(), c.plans[i]) }
		if s.task.together {
			all.Go(do)
		} else {
			do()
		}
	}
	all.Wait()
	return slices.Concat(append([]diagnostics{diags}, c.applied...)...)
}

// calm ends the trouble that the step has made, and waits until nothing is under way at the service.
func (s *scene) calm() {
	for _, end := range s.calming {
		end()
	}
	s.calming = nil
	time.Sleep(10 * time.Minute)
}

// machine returns the task's machine as it is now.
func (s *scene) machine() (emulator.Machine, bool) {
	if s.own != 0 {
		return s.service.Machine(s.own)
	}
	subject := s.parts[s.task.subject]
	if id := subject.id(); id != 0 && subject.typeName() == vmType {
		return s.service.Machine(id)
	}
	for _, m := range s.service.Machines() { // it is being created
		if subject.after != nil && m.Name == subject.after["name"] && !s.theirs.has(m.ID) {
			return m, true
		}
	}
	return emulator.Machine{}, false
}

// group returns the name of the group of the task's machine, or of the group that the task is about.
func (s *scene) group() (name string, ok bool) {
	subject := s.parts[s.task.subject]
	if subject.kind == groupType {
		for _, g := range s.groups() {
			if g.id == subject.id() || g.name == "team" || g.name == "team2" {
				return g.name, true
			}
		}
		return "", false
	}
	if m, ok := s.machine(); ok {
		return m.Group, m.Account == emulator.DemoAccount
	}
	return wantedGroup(subject.after), true
}

func wantedGroup(config object) string {
	switch {
	case config["group"] != nil:
		return config["group"].(string)
	case config["group_id"] == "1003":
		return emulator.PrivateGroup
	}
	return emulator.DefaultGroup
}

// somebody marks requests of somebody else.
const somebody = "X-Somebody"

func isTheirs(r emulator.Request) bool { return r.Header.Get(somebody) != "" }

// ask sends a request of somebody else, and returns the answer.
func (s *scene) ask(method, path, body string) (status int, answer string) {
	r, err := http.NewRequestWithContext(s.t.Context(), method, s.service.URL+path, strings.NewReader(body))
	s.must(err)
	r.Header.Set("Authorization", "Bearer "+emulator.DemoAPIKey)
	r.Header.Set("Content-Type", "application/json")
	r.Header.Set(somebody, "else")
	response, err := s.service.Transport().RoundTrip(r)
	s.must(err)
	text, err := io.ReadAll(response.Body)
	s.must(err)
	return response.StatusCode, string(text)
}

func text(id int64) string { return strconv.FormatInt(id, 10) }

func numberOf(text string) int64 {
	n, _ := strconv.ParseInt(text, 10, 64)
	return n
}
