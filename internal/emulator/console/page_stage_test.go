package console

import (
	"fmt"
	"io"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/emulator"
)

// stage is an emulator with a clock that the test moves, and its page. Guests answer a second after power-on.
type stage struct {
	*desk
	t   *testing.T
	now time.Time
}

// newStage returns an emulator with running machines web1, web2 and so on.
func newStage(t *testing.T, machines int) *stage {
	t.Helper()
	s := &stage{t: t, now: time.Date(2026, time.November, 20, 12, 0, 0, 0, time.UTC)}
	c := parseFlags(t, "127.0.0.1:0", "--boot-time", "4s", "--shutdown-time", "1s", "--guest-port", "2222", "--quiet")
	c.clock, c.Options.Now = s.now, func() time.Time { return s.now }
	d, err := c.newDesk(t.Context(), io.Discard)
	if err != nil {
		t.Fatal(err)
	}
	s.desk = d
	for n := range machines {
		d.emulator.AddMachine("demo", "default", emulator.Machine{
			Name: fmt.Sprint("web", n+1), PowerOn: true, Cores: 1, Discs: []emulator.Disc{{Label: "vda", Size: 25600}},
		})
	}
	s.pass(time.Minute)
	return s
}

// pass advances the clock.
func (s *stage) pass(d time.Duration) {
	s.now = s.now.Add(d)
	s.emulator.Events() // carries out what is due
}

// call sends a request as the provider does. path is below the group.
func (s *stage) call(method, path, body string) {
	s.t.Helper()
	r := httptest.NewRequest(method, "http://127.0.0.1/accounts/demo/groups/default"+path, strings.NewReader(body))
	r.Header.Set("Authorization", "Bearer apikey.demo")
	r.Header.Set("Content-Type", "application/json")
	r.Header.Set("User-Agent", "terraform-provider-cloudserver/1.0.0 (Terraform/1.14.0)")
	s.emulator.ServeHTTP(httptest.NewRecorder(), r)
}

// update raises a machine's cores as the provider does, and returns while it is booting, after two seconds.
func (s *stage) update(name string) {
	s.t.Helper()
	s.call("PUT", "/virtual_machines/"+name, `{"autoreboot_on":false}`)
	s.call("POST", "/virtual_machines/"+name+"/signal", `{"signal":"powerdown"}`)
	s.pass(time.Second)
	s.call("GET", "/virtual_machines/"+name, "")
	s.call("PUT", "/virtual_machines/"+name, `{"cores":2}`)
	s.pass(time.Second)
	s.call("PUT", "/virtual_machines/"+name, `{"autoreboot_on":true,"power_on":true}`)
}

// deafen stops a machine's guest from answering.
func (s *stage) deafen(name string) {
	s.t.Helper()
	m, err := s.machine(name)
	if err != nil {
		s.t.Fatal(err)
	}
	s.emulator.SetDeaf(m.ID, true)
}

// page returns the data of the page for a query.
func (s *stage) page(query string) pageData {
	return s.pageData(httptest.NewRequest("GET", "http://127.0.0.1:8787/"+query, nil))
}

// machines returns the machines on a page in their order, each with its label.
func (p pageData) machines() string {
	var list []string
	for _, group := range p.Fleet.Groups {
		for _, m := range group.Machines {
			list = append(list, m.Name+" "+m.Label)
		}
	}
	return strings.Join(list, ", ")
}

// events returns the events on a page, newest first.
func (p pageData) events() []string {
	list := []string{}
	for _, item := range append(append([]feedItem{}, p.Feed.Latest...), p.Feed.Older...) {
		line := item.Title()
		if item.Count > 1 {
			line += fmt.Sprint(" × ", item.Count)
		}
		list = append(list, line)
	}
	return list
}
