package vm_test

import (
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"slices"
	"strconv"
	"strings"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/acctest"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/emulator"
)

// shown is what a user sees of a plan before agreeing to it.
type shown struct {
	action         acctest.Action
	prior, planned map[string]any // nil: does not exist
	warnings       string
}

func showing(plan *acctest.PlanResult) shown {
	s := shown{action: plan.Action, warnings: acctest.DiagText(plan.Warnings())}
	if plan.Prior != nil {
		s.prior, _ = plan.Prior.Get("").(map[string]any)
	}
	s.planned, _ = plan.Get("").(map[string]any)
	return s
}

// promise is a request that a plan accounts for. Its ids are those of the
// objects that it has to reach.
type promise struct {
	kind          string
	machine, disc int64            // 0: none, or one that the request creates
	body          map[string][]any // the attributes that may be sent, with their values; nil: any
}

// The kinds of requests that change something, by method and end of the path.
const (
	creates    = "POST vm_create"
	updates    = "PUT machine"
	signals    = "POST signal"
	reimages   = "POST reimage"
	purges     = "DELETE machine?purge=true"
	deletes    = "DELETE machine"
	addsDisc   = "POST disc"
	changeDisc = "PUT disc"
	purgesDisc = "DELETE disc?purge=true"
)

// promises is the set of requests that the plan accounts for. It knows nothing
// of the product: only of the service, and of what a plan shows.
func (s shown) promises() []promise {
	switch s.action {
	case acctest.ActionCreate:
		return s.creation()
	case acctest.ActionDelete:
		return s.deletion()
	case acctest.ActionReplace:
		return append(s.deletion(), s.creation()...)
	case acctest.ActionUpdate:
		return s.change()
	}
	return nil
}

func (s shown) creation() []promise {
	spec := map[string][]any{"discs": nil, "reimage": nil, "ips": nil, "virtual_machine": nil}
	if s.planned["reimage"] == nil {
		delete(spec, "reimage")
	}
	if s.planned["ips"] == nil {
		delete(spec, "ips")
	}
	return []promise{{kind: creates, body: spec}}
}

func (s shown) deletion() []promise {
	id := idIn(s.prior)
	all := []promise{{kind: purges, machine: id}}
	if s.prior["purge_on_destroy"] == false {
		all[0].kind = deletes
	}
	if s.prior["shutdown_before_destroy"] == true && s.prior["power_on"] == true {
		all = append(all, promise{kind: signals, machine: id}, promise{kind: updates, machine: id, body: map[string][]any{"autoreboot_on": {false}}})
	}
	return all
}

func (s shown) change() []promise {
	id := idIn(s.prior)
	body := map[string][]any{}
	for _, name := range []string{"name", "cores", "memory", "hardware_profile", "hardware_profile_locked", "keymap", "cdrom_url"} {
		if s.differs(name) {
			body[name] = s.values(name)
		}
	}
	if s.differs("group") || s.differs("group_id") || s.differs("account") {
		body["group_id"] = nil
	}
	reimage := s.reimages()
	var all []promise
	if s.power(body, reimage) {
		all = append(all, promise{kind: signals, machine: id})
	}
	if reimage {
		all = append(all, promise{kind: reimages, machine: id})
	}
	return append(append(all, promise{kind: updates, machine: id, body: body}), s.discs(id)...)
}

// power adds what the power needs, and reports whether the machine may go off.
func (s shown) power(body map[string][]any, reimage bool) bool {
	on := s.prior["power_on"] == true
	restart := reimage || on && (s.raises("cores") || s.raises("memory") || s.differs("hardware_profile"))
	told := strings.Contains(s.warnings, "The update restarts") || strings.Contains(s.warnings, "The update may restart") || reimage
	switch {
	case s.differs("power_on"), restart && told:
		body["power_on"], body["autoreboot_on"] = nil, nil
		return true
	case s.differs("autoreboot_on"):
		body["autoreboot_on"] = append(s.values("autoreboot_on"), s.prior["autoreboot_on"])
	}
	return false
}

// reimages reports whether the plan says that the image is installed in place.
func (s shown) reimages() bool {
	warned := strings.Contains(s.warnings, "will be erased") || strings.Contains(s.warnings, "An image is installed on")
	return warned && s.differs("reimage")
}

func (s shown) discs(machine int64) []promise {
	var all []promise
	if s.planned["disc"] == acctest.Unknown || labelsUnknown(s.planned) {
		return s.unknownDiscs(machine)
	}
	before, kept := map[any]map[string]any{}, map[any]bool{}
	for _, d := range blocksOf(s.prior["disc"]) {
		before[d["id"]] = d
	}
	for _, d := range blocksOf(s.planned["disc"]) {
		id := d["id"]
		if id == acctest.Unknown {
			all = append(all, promise{kind: addsDisc, machine: machine, body: map[string][]any{"label": {d["label"]}, "size": oneOf(d["size"]), "storage_grade": oneOf(d["storage_grade"])}})
			continue
		}
		kept[id] = true
		had, known := before[id]
		body := map[string][]any{}
		if !known || had["label"] != d["label"] { // adopted, or renamed
			body["label"] = []any{d["label"]}
		}
		if !known || had["size"] != d["size"] {
			body["size"] = oneOf(d["size"])
		}
		all = append(all, promise{kind: changeDisc, machine: machine, disc: parsed(id), body: body})
	}
	for id, d := range before {
		if !kept[id] && strings.Contains(s.warnings, fmt.Sprintf("Disc %q of", d["label"])) && strings.Contains(s.warnings, "will be purged") {
			all = append(all, promise{kind: purgesDisc, machine: machine, disc: parsed(id)})
		}
	}
	return all
}

// unknownDiscs: which discs are wanted is known after apply, and the plan names
// those that may be lost.
func (s shown) unknownDiscs(machine int64) []promise {
	all := []promise{{kind: addsDisc, machine: machine, body: map[string][]any{"label": nil, "size": nil, "storage_grade": nil}}}
	for _, d := range blocksOf(s.prior["disc"]) {
		all = append(all, promise{kind: changeDisc, machine: machine, disc: parsed(d["id"]), body: map[string][]any{"label": nil, "size": nil}})
		if strings.Contains(s.warnings, "are not known yet") && strings.Contains(s.warnings, strconv.Quote(textOf(d["label"]))) {
			all = append(all, promise{kind: purgesDisc, machine: machine, disc: parsed(d["id"])})
		}
	}
	return all
}

func labelsUnknown(planned map[string]any) bool {
	return slices.ContainsFunc(blocksOf(planned["disc"]), func(d map[string]any) bool { return d["label"] == acctest.Unknown })
}

func (s shown) differs(name string) bool {
	return s.planned[name] == acctest.Unknown || fmt.Sprint(s.planned[name]) != fmt.Sprint(s.prior[name])
}

func (s shown) raises(name string) bool {
	return s.planned[name] == acctest.Unknown || numberOf(s.planned[name]) > numberOf(s.prior[name])
}

func (s shown) values(name string) []any { return oneOf(s.planned[name]) }

// oneOf is the planned value, or any where it is not known.
func oneOf(planned any) []any {
	if planned == acctest.Unknown {
		return nil
	}
	return []any{planned}
}

func idIn(state map[string]any) int64 { return parsed(state["id"]) }

func parsed(id any) int64 {
	n, _ := strconv.ParseInt(textOf(id), 10, 64)
	return n
}

// kindOf returns what a request is, whatever names are in its path.
func kindOf(r emulator.Request) string {
	segments := strings.Split(r.Path, "/") // /accounts/A/groups/G/virtual_machines/M/discs/D
	kind := r.Method + " " + segments[len(segments)-1]
	switch {
	case len(segments) == 9 && segments[7] == "discs":
		kind = r.Method + " disc"
	case len(segments) == 8 && segments[7] == "discs":
		kind = r.Method + " disc"
	case len(segments) == 7 && segments[5] == "virtual_machines":
		kind = r.Method + " machine"
	}
	if r.Query == "purge=true" {
		kind += "?" + r.Query
	}
	return kind
}

// covers reports whether the request is the promised one.
func (p promise) covers(r emulator.Request) bool {
	if kindOf(r) != p.kind || p.kind != creates && r.Reached.Machine != p.machine || p.kind != addsDisc && r.Reached.Disc != p.disc {
		return false
	}
	if p.body == nil {
		return true
	}
	sent := map[string]any{}
	if json.Unmarshal(r.Body, &sent) != nil {
		return false
	}
	for name, value := range sent {
		allowed, ok := p.body[name]
		if !ok || allowed != nil && !slices.ContainsFunc(allowed, func(a any) bool { return fmt.Sprint(a) == fmt.Sprint(plain(value)) }) {
			return false
		}
	}
	return true
}

// plain makes a whole number of JSON one of Go.
func plain(value any) any {
	if n, ok := value.(float64); ok {
		return int64(n)
	}
	return value
}

// unplanned lists the requests of the journal that had an effect and that no
// promise covers.
func unplanned(journal []emulator.Request, promised []promise) []string {
	var all []string
	for _, r := range journal {
		if r.Method == http.MethodGet || !r.Reached.Done || r.Path == "/session" {
			continue
		}
		if !slices.ContainsFunc(promised, func(p promise) bool { return p.covers(r) }) {
			all = append(all, fmt.Sprintf("%s %s?%s %s (reached machine %d, disc %d)", r.Method, r.Path, r.Query, r.Body, r.Reached.Machine, r.Reached.Disc))
		}
	}
	return all
}

func (p promise) String() string {
	var body []string
	for _, name := range slices.Sorted(maps.Keys(p.body)) {
		body = append(body, fmt.Sprintf("%s=%v", name, p.body[name]))
	}
	return fmt.Sprintf("%s %d/%d %s", p.kind, p.machine, p.disc, strings.Join(body, " "))
}
