package vm_test

import (
	"fmt"
	"math/rand/v2"
	"slices"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/acctest"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/emulator"
)

const (
	groupType = "cloudserver_group"
	rdnsType  = "cloudserver_rdns"
)

// beside is a group and a reverse DNS name, which meet what the machines meet. It
// draws from a source of its own, so that it leaves their story as it is.
type beside struct {
	rng         *rand.Rand
	account     string
	group, rdns *acctest.Object
}

func (l *life) addBeside() {
	b := &l.beside
	b.account = one(b.rng, "demo", "other")
	id := l.e.AddMachine("demo", "default", emulator.Machine{Name: "holder", Discs: []emulator.Disc{{Label: "vda", Size: 2048}, {Label: "vdb", Size: 2048}}})
	holder, _ := l.e.Machine(id)
	l.others[id] = holder
	d := l.e.NewDriver(l.t, l.settings)
	b.group = d.MustApply(l.t.Context(), groupType, nil, object{"account": b.account, "name": "beside"})
	b.rdns = d.MustApply(l.t.Context(), rdnsType, nil, object{"address": ipv4Of(holder), "hostname": "holder.example.com"})
}

func (b *beside) objects() []*acctest.Object { return []*acctest.Object{b.group, b.rdns} }

// changeBeside renames the group, while another one may be named like its id.
func (l *life) changeBeside() {
	b := &l.beside
	if chance(b.rng, 2) {
		l.e.AddGroup(b.account, textOf(b.group.Get("id")), false)
	}
	l.applyBeside(object{"account": b.account, "name": fmt.Sprintf("beside%d", b.rng.IntN(9))})
	d := l.e.NewDriver(l.t, l.settings)
	if plan := d.Plan(l.t.Context(), groupType, d.MustRefresh(l.t.Context(), b.group), object{"account": b.account, "name": b.group.Get("name")}); !plan.Empty() {
		l.fail("the second plan of the group is not empty: %s of %v", plan.Action, plan.Changes())
	}
}

// applyBeside applies the group (nil: destroys it). Nothing else may be changed.
func (l *life) applyBeside(config object) {
	b := &l.beside
	id := parsed(b.group.Get("id"))
	l.e.ResetJournal()
	d := l.e.NewDriver(l.t, l.settings)
	group, diags := d.Apply(l.t.Context(), groupType, d.Plan(l.t.Context(), groupType, b.group, config))
	if acctest.HasErrors(diags) {
		l.fail("apply group %v:\n%s", config, acctest.DiagText(diags))
	}
	b.group = group
	for _, r := range l.e.Journal() {
		if !isGet(r) && r.Reached.Done && r.Reached.Group != id {
			l.fail("a request for group %d reached group %d: %s %s", id, r.Reached.Group, r.Method, r.Path)
		}
	}
}

// forbidden plans what would be taken for an id.
func (l *life) forbidden() {
	rng, d := l.beside.rng, l.e.NewDriver(l.t, l.settings)
	refused := func(typeName string, o *acctest.Object, config object) {
		if plan := d.Plan(l.t.Context(), typeName, o, config); plan.Action != acctest.ActionError {
			l.fail("a name or label of digits is planned: %s of %v", plan.Action, config)
		}
	}
	number := fmt.Sprint(1 + rng.IntN(2000))
	refused(groupType, one(rng, nil, l.beside.group), object{"account": l.beside.account, "name": number})
	for _, s := range l.slots {
		if s.wish == nil {
			continue
		}
		w := s.wish.clone()
		if w.ignored = nil; chance(rng, 2) {
			w.name = number
		} else {
			w.discs[rng.IntN(len(w.discs))].label = number
		}
		was := []string{w.name}
		if m, ok := l.machine(s); ok {
			for _, disc := range m.Discs {
				was = append(was, disc.Label)
			}
		}
		if !slices.Contains(was[1:], number) {
			refused(vmType, s.o, w.config())
		}
	}
}
