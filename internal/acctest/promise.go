package acctest

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"slices"
	"strconv"
	"strings"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/emulator"
)

// Shown is what a user sees of a plan before approving it.
type Shown struct {
	Action         Action
	Prior, Planned map[string]any // nil: does not exist
	Warnings       string
}

// Showing returns what a plan shows of a machine.
func Showing(plan *PlanResult) Shown {
	s := Shown{Action: plan.Action, Warnings: DiagText(plan.Warnings())}
	if plan.Prior != nil {
		s.Prior, _ = plan.Prior.Get("").(map[string]any)
	}
	s.Planned, _ = plan.Get("").(map[string]any)
	return s
}

// Promise is a request that a plan accounts for. Its IDs are those of the objects that it must reach.
type Promise struct {
	Kind          string
	Machine, Disc int64            // 0: none, or one that the request creates
	Group         int64            // 0: any
	Element       string           // the end of the path; "": any
	Body          map[string][]any // the attributes that may be sent, with their values; nil: any
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

// Promises returns the requests that the plan accounts for. It uses only the rules of the service and what the plan
// shows, and none of the provider's code.
func (s Shown) Promises() []Promise {
	switch s.Action {
	case ActionCreate:
		return s.creation()
	case ActionDelete:
		return s.deletion()
	case ActionReplace:
		return append(s.deletion(), s.creation()...)
	case ActionUpdate:
		return s.change()
	case ActionNoOp, ActionError:
	}
	return nil
}

func (s Shown) creation() []Promise {
	spec := map[string][]any{"discs": nil, "virtual_machine": nil}
	for _, block := range []string{"reimage", "ips"} {
		if s.Planned[block] != nil {
			spec[block] = nil
		}
	}
	return []Promise{{Kind: creates, Body: spec}}
}

func (s Shown) deletion() []Promise {
	id := ID(s.Prior["id"])
	all := []Promise{{Kind: purges, Machine: id}}
	if s.Prior["purge_on_destroy"] == false {
		all[0].Kind = deletes
	}
	if s.Prior["shutdown_before_destroy"] == true && s.Prior["power_on"] == true {
		all = append(all, Promise{Kind: signals, Machine: id}, Promise{Kind: updates, Machine: id, Body: map[string][]any{ // a failure restores both
			"autoreboot_on": {false, s.Prior["autoreboot_on"]}, "power_on": {s.Prior["power_on"]},
		}})
	}
	return all
}

func (s Shown) change() []Promise {
	id := ID(s.Prior["id"])
	body := map[string][]any{}
	for _, name := range append(SettingNames(), "name", "cores", "memory", "hardware_profile") {
		if s.differs(name) && (name != "hardware_profile" || !strings.Contains(s.Warnings, "The hardware profile is only recorded")) {
			body[name] = s.values(name)
		}
	}
	if s.differs("group") || s.differs("group_id") || s.differs("account") {
		body["group_id"] = nil
		body["name"] = s.values("name")
	}
	if body["name"] != nil { // it may step aside while the name is taken, and return
		body["name"] = append(body["name"], s.Prior["name"], fmt.Sprintf("renaming-%d", id))
	}
	reimage := s.Reimages()
	var all []Promise
	if s.power(body, reimage) {
		all = append(all, Promise{Kind: signals, Machine: id})
	}
	if reimage {
		all = append(all, Promise{Kind: reimages, Machine: id})
	}
	return append(append(all, Promise{Kind: updates, Machine: id, Body: body}), s.discs(id)...)
}

// power adds the requests for the power, and reports whether the machine may be switched off.
func (s Shown) power(body map[string][]any, reimage bool) bool {
	on := s.Prior["power_on"] == true
	needsOff := s.raises("cores") || s.raises("memory") || s.differs("hardware_profile")
	restart := reimage || on && needsOff
	unknown := s.Planned["cores"] == Unknown || s.Planned["memory"] == Unknown || s.Planned["hardware_profile"] == Unknown
	warned := strings.Contains(s.Warnings, "The update restarts") || reimage || unknown
	permitted := reimage || s.Planned["allow_stopping_for_update"] == true || s.Planned["allow_stopping_for_update"] == Unknown
	switch {
	case s.differs("power_on"), restart && warned && permitted:
		body["power_on"], body["autoreboot_on"] = nil, nil
		return true
	case !on && needsOff && s.Prior["autoreboot_on"] == true: // it is kept off meanwhile, or the service would start it
		body["power_on"], body["autoreboot_on"] = []any{false}, []any{false, true}
	case s.differs("autoreboot_on"):
		if body["autoreboot_on"] = s.values("autoreboot_on"); body["autoreboot_on"] != nil { // a failure restores it
			body["autoreboot_on"] = append(body["autoreboot_on"], s.Prior["autoreboot_on"])
		}
		if !on && s.Prior["autoreboot_on"] == true { // the service may be starting it
			body["power_on"] = []any{false}
		}
	}
	return false
}

// Reimages reports whether the plan shows that the image is installed in place.
func (s Shown) Reimages() bool {
	warned := strings.Contains(s.Warnings, "will be erased")
	return warned && s.differs("reimage")
}

func (s Shown) discs(machine int64) []Promise {
	var all []Promise
	if s.Planned["disc"] == Unknown || slices.ContainsFunc(Blocks(s.Planned["disc"]), func(d map[string]any) bool { return d["label"] == Unknown }) {
		return s.unknownDiscs(machine)
	}
	before, kept := map[any]map[string]any{}, map[any]bool{}
	for _, d := range Blocks(s.Prior["disc"]) {
		before[d["id"]] = d
	}
	for _, d := range Blocks(s.Planned["disc"]) {
		id := d["id"]
		if id == Unknown {
			body := map[string][]any{"label": {d["label"]}, "size": oneOf(d["size"]), "storage_grade": oneOf(d["storage_grade"])}
			all = append(all, Promise{Kind: addsDisc, Machine: machine, Body: body})
			continue
		}
		kept[id] = true
		had, ok := before[id]
		body := map[string][]any{}
		if !ok || had["label"] != d["label"] { // adopted, or renamed
			body["label"] = []any{d["label"]}
		}
		if !ok || had["size"] != d["size"] {
			body["size"] = oneOf(d["size"])
		}
		all = append(all, Promise{Kind: changeDisc, Machine: machine, Disc: ID(id), Body: body})
	}
	for id, d := range before {
		if !kept[id] && strings.Contains(s.Warnings, fmt.Sprintf("%q (ID %s,", d["label"], id)) && strings.Contains(s.Warnings, "will be purged") {
			all = append(all, Promise{Kind: purgesDisc, Machine: machine, Disc: ID(id)})
		}
	}
	return all
}

// unknownDiscs: which discs are wanted is known after apply, and the plan names
// those that may be lost.
func (s Shown) unknownDiscs(machine int64) []Promise {
	all := []Promise{
		{Kind: addsDisc, Machine: machine, Body: map[string][]any{"label": nil, "size": nil, "storage_grade": nil}},
	}
	for _, d := range Blocks(s.Prior["disc"]) {
		all = append(all, Promise{Kind: changeDisc, Machine: machine, Disc: ID(d["id"]), Body: map[string][]any{"label": nil, "size": nil}})
		if strings.Contains(s.Warnings, "Discs may be purged") && strings.Contains(s.Warnings, strconv.Quote(Text(d["label"]))) {
			all = append(all, Promise{Kind: purgesDisc, Machine: machine, Disc: ID(d["id"])})
		}
	}
	return all
}

func (s Shown) differs(name string) bool {
	return s.Planned[name] == Unknown || fmt.Sprint(s.Planned[name]) != fmt.Sprint(s.Prior[name])
}

func (s Shown) raises(name string) bool {
	return s.Planned[name] == Unknown || Number(s.Planned[name]) > Number(s.Prior[name])
}

func (s Shown) values(name string) []any { return oneOf(s.Planned[name]) }

// oneOf returns the planned value, or all possible values if it is unknown.
func oneOf(planned any) []any {
	if planned == Unknown {
		return nil
	}
	return []any{planned}
}

// Names reports whether the plan shows that the disc is destroyed.
func (s Shown) Names(d emulator.Disc) bool {
	known := slices.ContainsFunc(Blocks(s.Prior["disc"]), func(had map[string]any) bool { return ID(had["id"]) == d.ID })
	if s.Action == ActionDelete || s.Action == ActionReplace {
		return known || strings.Contains(s.Warnings, strconv.Quote(d.Label))
	}
	return known &&
		slices.ContainsFunc(s.Promises(), func(p Promise) bool { return p.Kind == purgesDisc && p.Disc == d.ID })
}

// kindOf returns what a request is, whatever names are in its path.
func kindOf(r emulator.Request) string {
	segments := strings.Split(r.Path, "/") // /accounts/A/groups/G/virtual_machines/M/discs/D
	kind := r.Method + " " + segments[len(segments)-1]
	switch {
	case (len(segments) == 8 || len(segments) == 9) && segments[7] == "discs":
		kind = r.Method + " disc"
	case len(segments) == 7 && segments[5] == "virtual_machines":
		kind = r.Method + " machine"
	default:
		kind = cmp.Or(kindOfOthers(r.Method, segments), kind)
	}
	if r.Query == "purge=true" {
		kind += "?" + r.Query
	}
	return kind
}

// covers reports whether the request is the promised one.
func (p Promise) covers(r emulator.Request) bool {
	if kindOf(r) != p.Kind || !p.named(r.Path) || p.Group != 0 && r.Reached.Group != p.Group ||
		p.concernsMachine() && r.Reached.Machine != p.Machine || p.Kind != addsDisc && r.Reached.Disc != p.Disc {
		return false
	}
	if p.Body == nil {
		return true
	}
	sent, body := map[string]any{}, json.NewDecoder(bytes.NewReader(r.Body))
	body.UseNumber()
	if body.Decode(&sent) != nil {
		return false
	}
	for name, value := range sent {
		allowed, ok := p.Body[name]
		if !ok ||
			allowed != nil &&
				!slices.ContainsFunc(allowed, func(a any) bool { return fmt.Sprint(a) == fmt.Sprint(value) }) {
			return false
		}
	}
	return true
}

// Unplanned returns the requests of the journal that had an effect and that no promise covers.
func Unplanned(journal []emulator.Request, promised []Promise) []string {
	var all []string
	for _, r := range journal {
		if r.Method == http.MethodGet || !r.Reached.Done || r.Path == "/session" {
			continue
		}
		if !slices.ContainsFunc(promised, func(p Promise) bool { return p.covers(r) }) {
			all = append(all, fmt.Sprintf("%s %s?%s %s (reached machine %d, disc %d)", r.Method, r.Path, r.Query, r.Body, r.Reached.Machine, r.Reached.Disc))
		}
	}
	return all
}

// String describes the promise.
func (p Promise) String() string {
	var body []string
	for _, name := range slices.Sorted(maps.Keys(p.Body)) {
		body = append(body, fmt.Sprintf("%s=%v", name, p.Body[name]))
	}
	return fmt.Sprintf("%s %d/%d %s", p.Kind, p.Machine, p.Disc, strings.Join(body, " "))
}

// Text returns a string in a state, or "" for any other value.
func Text(v any) string {
	s, _ := v.(string)
	return s
}

// Number returns a whole number in a state or configuration, or 0 for any other value.
func Number(v any) int64 {
	if n, ok := v.(int); ok {
		return int64(n)
	}
	n, _ := v.(int64)
	return n
}

// ID returns the number in an attribute such as id.
func ID(v any) int64 {
	n, _ := strconv.ParseInt(Text(v), 10, 64)
	return n
}

// Blocks returns the blocks of a list in a state.
func Blocks(v any) []map[string]any {
	var all []map[string]any
	elements, _ := v.([]any)
	for _, e := range elements {
		if object, ok := e.(map[string]any); ok {
			all = append(all, object)
		}
	}
	return all
}
