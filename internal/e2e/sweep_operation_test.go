package e2e_test

import (
	"bytes"
	"fmt"
	"maps"
	"net/http"
	"time"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/acctest"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/emulator"
)

// operation is a change from one configuration to another. A nil configuration means no machine.
type operation struct {
	name          string
	before, after object
	forget        bool   // the initial machine is in no state
	kind          string // type of the resource; "": a machine
	do            func(w *world) diagnostics

	names     string            // what messages have to name; "": the machine
	replaces  bool              // the machine is expected to be replaced
	relocates bool              // the machine is expected to get another name or group
	purges    []string          // discs that are expected to be destroyed, by label
	renames   map[string]string // discs that are expected to get another label
	reimages  bool              // the boot disc is expected to be erased
	theirs    bool              // somebody else's group, or machine, has the name
	logsIn    bool              // its login is swept as well

	// mayStayOff: the first attempt may leave the machine off, and the second is then refused, with advice.
	mayStayOff bool
}

// run performs the operation.
func (o operation) run(w *world) diagnostics {
	w.kind = o.kind
	if o.do != nil {
		return o.do(w)
	}
	return w.apply(o.after)
}

// operations are all operations of the sweep, and the login with one of each kind.
func operations() []operation {
	all := append(otherOperations(), machineOperations()...)
	seen := map[string]bool{}
	for i, o := range all {
		sort := fmt.Sprint(o.kind, o.before == nil, o.forget, o.do == nil)
		all[i].logsIn, seen[sort] = !seen[sort], true
	}
	return all
}

func machineOperations() []operation {
	return []operation{
		{name: "create", after: web(nil)},
		{name: "create, off", after: web(object{"power_on": false})},
		{name: "create, own address", after: web(object{"group": "private", "ips": object{"ipv4": "192.0.2.77"}})},
		{name: "read", before: web(nil), after: web(nil)},
		{name: "rename", before: web(nil), after: web(object{"name": "web2"}), relocates: true},
		{name: "move", before: web(nil), after: web(object{"group": "private"}), relocates: true},
		{name: "move by group_id", before: web(nil), after: web(object{"group_id": "1003"}), relocates: true},
		{name: "raise cores", before: web(nil), after: web(object{"cores": 4, "memory": 4096})},
		{name: "lower memory", before: web(nil), after: web(object{"memory": 1024})},
		{name: "settings", before: web(nil), after: web(acctest.SettingsWith(0), object{"autoreboot_on": false})},
		{name: "switch off", before: web(nil), after: web(object{"power_on": false})},
		{name: "switch on", before: web(object{"power_on": false}), after: web(object{"power_on": true})},
		{name: "rename disc", before: web(nil), after: web(discs("vda", 25600, "data", 10240)), renames: map[string]string{"vdb": "data"}},
		{name: "grow disc", before: web(nil), after: web(discs("vda", 25600, "vdb", 20480))},
		{name: "add disc", before: web(nil), after: web(discs("vda", 25600, "vdb", 10240, "vdc", 5120))},
		{name: "remove disc", before: web(nil), after: web(discs("vda", 25600)), purges: []string{"vdb"}},
		{name: "everything", before: web(nil), after: web(discs("vda", 30000, "vdc", 5120, "vdd", 5120), object{"name": "web2", "group": "private", "cores": 4}), purges: []string{"vdb"}, relocates: true},
		{name: "reimage in place", reimages: true, before: web(nil), after: web(image("trixie", true))},
		{name: "replace", before: web(nil), after: web(object{"zone_name": "manchester"}), replaces: true},
		{name: "destroy", before: web(nil)},
		{name: "soft delete", before: web(object{"purge_on_destroy": false})},
		{name: "import by name", before: web(nil), after: web(nil), forget: true, do: importing("demo/default/web1")},
		{name: "import by id", before: web(nil), after: web(nil), forget: true, do: func(w *world) diagnostics {
			return w.importAndApply(idOf(w.machines()[0]), web(nil))
		}},
		{name: "definitions", names: "definitions", do: definitions},
	}
}

// web returns the machine of most operations, with changes.
func web(changes ...object) object {
	config := object{
		"name": "web1", "cores": 2, "memory": 2048, "allow_stopping_for_update": true,
		"timeouts": object{"create": "2m", "update": "2m", "delete": "2m"},
	}
	maps.Copy(config, discs("vda", 25600, "vdb", 10240))
	maps.Copy(config, image("bookworm", true))
	for _, change := range changes {
		maps.Copy(config, change)
	}
	return config
}

// discs returns disc blocks for alternating labels and sizes.
func discs(labelsAndSizes ...any) object {
	var blocks objects
	for i := 0; i < len(labelsAndSizes); i += 2 {
		blocks = append(blocks, object{"label": labelsAndSizes[i], "size": labelsAndSizes[i+1]})
	}
	return object{"disc": blocks}
}

func image(distribution string, inPlace bool) object {
	return object{"reimage": object{
		"distribution": distribution, "on_change": map[bool]string{true: "reimage", false: "replace"}[inPlace],
		"root_password": rootPassword, "revision": "1", "firstboot_script": bootScript,
	}}
}

func importing(id string) func(*world) diagnostics {
	return func(w *world) diagnostics { return w.importAndApply(id, web(nil)) }
}

func definitions(w *world) diagnostics {
	_, diags := w.process().ReadData(w.t.Context(), "cloudserver_definitions", nil)
	w.note(diags)
	return diags
}

// setUp adds what is in no state: the machine that a reverse name or a schedule belongs to.
func (o operation) setUp(w *world) {
	switch {
	case o.theirs && o.kind == groupType:
		w.service.AddGroup("demo", "team", false)
	case o.theirs:
		w.service.AddMachine("demo", "default", stranger())
	}
	if o.kind == scheduleType {
		w.service.AddMachine("demo", "default", emulator.Machine{ID: 9001, Name: "holder", Discs: []emulator.Disc{{ID: 9002, Label: "vda", Size: 25600}}})
	}
	if o.kind == rdnsType {
		w.service.AddMachine("demo", "default", emulator.Machine{Name: "holder", Interfaces: []emulator.Interface{{IPs: []string{"198.51.100.2"}}}})
	}
}

// prepare brings about the starting point of the operation.
func (o operation) prepare(w *world) {
	w.t.Helper()
	o.setUp(w)
	if w.kind = o.kind; o.before == nil {
		return
	}
	if diags := w.apply(o.before); acctest.HasErrors(diags) {
		w.t.Fatalf("the machine to start from:\n%s", acctest.DiagText(diags))
	}
	if o.forget {
		w.state = nil
	}
}

// start is the starting point of an operation, which can be repeated without a provider: the same requests result in
// the same IDs.
type start struct {
	state    *acctest.Object
	requests []emulator.Request
}

// start records what prepare has just brought about.
func (w *world) start() start { return start{w.state, w.service.Journal()} }

// replay repeats it in another world.
func (s start) replay(w *world) {
	w.t.Helper()
	for _, sent := range s.requests {
		if sent.Method == http.MethodGet || sent.Path == "/session" {
			continue
		}
		r, err := http.NewRequestWithContext(w.t.Context(), sent.Method, w.service.URL+sent.Path+"?"+sent.Query, bytes.NewReader(sent.Body))
		if err != nil {
			w.t.Fatal(err)
		}
		r.Header = sent.Header.Clone()
		r.Header.Set("Authorization", "Bearer "+emulator.DemoAPIKey)
		if answer, err := w.service.Transport().RoundTrip(r); err != nil || answer.StatusCode != sent.Status {
			w.t.Fatalf("%s %s cannot be replayed: %v", sent.Method, sent.Path, err)
		}
	}
	time.Sleep(time.Minute) // it boots
	w.state = s.state
}
