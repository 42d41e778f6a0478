package vm_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/acctest"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/emulator"
)

// another makes another service answer all reads that follow the first request with this method and text. changed is what
// else differs there.
func another(e *acctest.Emulator, method, text string, changed ...string) {
	switched := false
	e.Inject(emulator.Fault{
		Match: func(r emulator.Request) bool {
			before := switched
			switched = switched || r.Method == method && strings.Contains(r.Path+" "+string(r.Body), text)
			return before && r.Method == http.MethodGet
		},
		Rewrite: func(status int, header http.Header, body []byte) (int, http.Header, []byte) {
			is := strings.ReplaceAll(string(body), emulator.ClusterDomain, "cluster.elsewhere")
			return status, header, []byte(strings.NewReplacer(changed...).Replace(is))
		},
	})
}

// bare makes the answer to vm_create have the ID alone.
func bare(t *testing.T) emulator.Fault {
	return emulator.Fault{
		Match: func(r emulator.Request) bool { return strings.HasSuffix(r.Path, "/vm_create") },
		Rewrite: func(status int, header http.Header, body []byte) (int, http.Header, []byte) {
			var made struct {
				Machine struct {
					ID int64 `json:"id"`
				} `json:"virtual_machine"`
			}
			if err := json.Unmarshal(body, &made); err != nil {
				t.Error(err)
			}
			return status, header, fmt.Appendf(nil, `{"virtual_machine":{"id":%d}}`, made.Machine.ID)
		},
	}
}

// TestBareAnswerThenAnotherService: the answer to vm_create has the ID alone, and the first look is at another service. What
// this process knows of its service (another machine in the state), or the name, distinguishes its machine.
func TestBareAnswerThenAnotherService(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		known   bool
		changed []string
	}{
		"the domain is known from another machine": {known: true, changed: []string{`"vda"`, `"theirs"`}},
		"another name": {changed: []string{"web1", "db1", `"vda"`, `"theirs"`}},
	} {
		inBubbleNamed(t, name, func(t *testing.T, d *acctest.Driver, e *acctest.Emulator) {
			ctx := t.Context()
			if test.known {
				o := d.MustApply(ctx, vmType, nil, configured(given{"name": "web0"}))
				d.MustRefresh(ctx, o)
			}
			plan := d.Plan(ctx, vmType, nil, configured())
			another(e, "POST", "/vm_create", test.changed...)
			e.Inject(bare(t))
			o, _ := d.Apply(ctx, vmType, plan)
			if host := fmt.Sprint(o.Get("hostname")); strings.Contains(host, "elsewhere") {
				t.Errorf("the state has the hostname %s", host)
			}
			if test.known {
				return // a process that knows neither hostname nor domain finds the name that it expects
			}
			e.ResetJournal()
			d = e.NewDriver(t, nil)
			if read, _ := d.Refresh(ctx, o); read != nil {
				o = read
			}
			_, _ = d.Apply(ctx, vmType, d.Plan(ctx, vmType, o, nil))
			expectSent(t, e, "")
		})
	}
}

// TestNamesakeAtAnotherService: a request for a machine fails, and another service answers the look for its name. Its machine
// of that name is not the new one.
func TestNamesakeAtAnotherService(t *testing.T) {
	inBubble(t, func(t *testing.T, d *acctest.Driver, e *acctest.Emulator) {
		ctx := t.Context()
		web0 := d.MustApply(ctx, vmType, nil, configured(given{"name": "web0"}))
		d.MustRefresh(ctx, web0)
		plan := d.Plan(ctx, vmType, nil, configured())
		another(e, "POST", "/vm_create")
		e.Inject(emulator.Fault{Times: 1, Status: http.StatusBadGateway, Match: func(r emulator.Request) bool { return strings.HasSuffix(r.Path, "/vm_create") }})
		time.AfterFunc(time.Millisecond, func() { addTwin(e) }) // it is the other service's: the first look after the request sees it
		o, diags := d.Apply(ctx, vmType, plan)
		if text := acctest.DiagText(diags); !strings.Contains(text, "cannot find out whether") {
			t.Errorf("it says:\n%s", text)
		}
		if o != nil {
			t.Errorf("the state has %v", o.Get("hostname"))
		}
	})
}

// TestRepeatedDiscIsProvedAgain: a request for a disc is lost, and meanwhile its machine moves, and another one gets its ID as
// its name there. The repetition reaches the machine.
func TestRepeatedDiscIsProvedAgain(t *testing.T) {
	inBubble(t, func(t *testing.T, d *acctest.Driver, e *acctest.Emulator) {
		ctx := t.Context()
		blue := e.AddGroup("demo", "blue", false)
		o := d.MustRefresh(ctx, d.MustApply(ctx, vmType, nil, configured()))
		id := onlyMachine(t, e).ID
		config := configured()
		config["disc"] = append(append([]object{}, config["disc"].([]object)...), object{"label": "data", "size": 1024})
		plan := d.Plan(ctx, vmType, o, config)
		e.Inject(emulator.Fault{Times: 1, Status: http.StatusBadGateway, Delay: 2 * time.Second, Match: func(r emulator.Request) bool {
			return r.Method == http.MethodPost && strings.HasSuffix(r.Path, "/discs")
		}})
		var theirs int64
		time.AfterFunc(time.Second, func() {
			if err := e.Change(id, func(m *emulator.Machine) { m.GroupID = blue }); err != nil {
				t.Error(err)
			}
			theirs = e.AddMachine("demo", "default", emulator.Machine{Name: idOf(id), Discs: []emulator.Disc{{Label: "vda", Size: 25600}}})
		})
		_, _ = d.Apply(ctx, vmType, plan)
		if m, _ := e.Machine(theirs); len(m.Discs) != 1 {
			t.Errorf("another machine has got the disc: %+v", m.Discs)
		}
	})
}

// TestImportByNameThenAnotherService: an import by name finds a machine, and another service answers the read. Its machine of
// the same ID has another name.
func TestImportByNameThenAnotherService(t *testing.T) {
	inBubble(t, func(t *testing.T, d *acctest.Driver, e *acctest.Emulator) {
		addTwin(e)
		another(e, "GET", "/groups/default/virtual_machines/web1", "web1", "db1")
		o, diags := d.Import(t.Context(), vmType, "demo/default/web1")
		if o != nil && !acctest.HasErrors(diags) {
			t.Errorf("imported %v %v", o.Get("name"), o.Get("hostname"))
		}
	})
}
