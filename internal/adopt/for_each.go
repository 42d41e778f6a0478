package adopt

import (
	"cmp"
	"fmt"

	"github.com/hashicorp/hcl/v2/hclwrite"
	"github.com/zclconf/go-cty/cty"
)

// alike groups machines into sets that differ in their names and addresses alone. A machine that is written on its own
// is a set of one.
func (p *placement) alike(machines []*placedMachine) (sets [][]*placedMachine) {
	at := map[string]int{}
	for _, m := range machines {
		key := p.sameAs(m)
		if set, ok := at[key]; ok && !has(sets[set], m.name) {
			sets[set] = append(sets[set], m)
			continue
		}
		at[key] = len(sets)
		sets = append(sets, []*placedMachine{m})
	}
	return sets
}

func has(set []*placedMachine, name string) bool {
	for _, m := range set {
		if m.name == name {
			return true
		}
	}
	return false
}

// sameAs returns a text that is equal for machines that can share a block.
func (p *placement) sameAs(m *placedMachine) string {
	if p.options.flat || m.prepared.config == cty.NilVal {
		return "alone: " + m.text("id")
	}
	return string(p.body(m.prepared.withEachKey()).Bytes())
}

// withEachKey returns the machine with for_each's key as its name.
func (p prepared) withEachKey() prepared {
	instead := map[string]written{}
	for name, value := range p.instead {
		instead[name] = value
	}
	instead["name"] = written{expression: eachKey}
	p.instead = instead
	return p
}

// machineBlock writes one block for machines that are alike, and records the references to them. It returns the name of
// the block, or "" if no block was written.
func (p *placement) machineBlock(alike []*placedMachine) string {
	first := alike[0]
	if first.prepared.config == cty.NilVal {
		return ""
	}
	if len(alike) == 1 {
		name := p.take(machineType, p.candidates(first.name)...)
		first.reference = p.write(
			p.out, machineType, name, p.body(first.prepared),
			instance{id: first.text("id"), comment: first.text("hostname")},
		)
		return name
	}
	var listed, instances []instance
	for _, m := range alike {
		listed = append(listed, instance{key: m.name, comment: m.comment()})
		instances = append(instances, instance{m.name, m.text("id"), m.text("hostname")})
	}
	name := p.take(machineType, p.candidates(cmp.Or(commonName(alike), p.group.name))...)
	block := p.write(
		p.out, machineType, name, expression("for_each = ", keys(listed), "\n\n", p.body(first.prepared.withEachKey())),
		instances...)
	for _, m := range alike {
		m.reference = block.at(text(m.name))
	}
	return name
}

// schedule is a backup schedule and its machine.
type schedule struct {
	importable
	machine *placedMachine
	label   string // of its disc; "": the disc's ID is written instead
}

// schedulesAlike groups the schedules of machines that are alike into sets that differ in their machine alone. No set
// has two schedules of the same machine.
func (p *placement) schedulesAlike(machines []*placedMachine) (sets [][]schedule) {
	at := map[string]int{}
	for _, m := range machines {
		times := map[string]int{}
		for _, f := range m.schedules {
			one := schedule{f, m, m.label(f.text("disc_id"))}
			key := fmt.Sprintf("%q %q %s %s", one.label, f.text("start_at"), f.state.GetAttr("interval_seconds").GoString(), f.state.GetAttr("capacity").GoString())
			times[key]++
			key = fmt.Sprintf("%s %d", key, times[key])
			if set, ok := at[key]; ok && len(machines) > 1 && one.label != "" && m.reference != nil {
				sets[set] = append(sets[set], one)
				continue
			}
			at[key] = len(sets)
			sets = append(sets, []schedule{one})
		}
	}
	return sets
}

// scheduleBlock writes one block for schedules that are alike. They belong to the machines of block; all means to every
// one of them.
func (p *placement) scheduleBlock(alike []schedule, block string, all bool) {
	first := alike[0]
	if len(alike) == 1 {
		if one, ok := p.prepareSchedule(first, first.machine.reference); ok {
			name := p.take(scheduleType, p.candidates(first.machine.name, first.label)...)
			p.write(
				p.out, scheduleType, name, p.body(one),
				instance{id: first.importID(), comment: first.machine.text("hostname")},
			)
		}
		return
	}
	var listed, instances []instance
	for _, s := range alike {
		listed = append(listed, instance{key: s.machine.name})
		instances = append(instances, instance{s.machine.name, s.importID(), s.machine.text("hostname")})
	}
	machines := resource(machineType, block)
	each, over := machines.at(eachKey), keys(listed)
	if all {
		each, over = reference(eachValue), hclwrite.Tokens(machines)
	}
	if one, ok := p.prepareSchedule(first, each); ok {
		name := p.take(scheduleType, p.candidates(block, first.label)...)
		p.write(p.out, scheduleType, name, expression("for_each = ", over, "\n\n", p.body(one)), instances...)
	}
}

// prepareSchedule chooses the arguments of a schedule. It refers to the machine, and to its disc by label.
func (p *placement) prepareSchedule(s schedule, machine reference) (prepared, bool) {
	instead := map[string]written{"disc_id": {comment: s.label}}
	if machine != nil {
		instead["virtual_machine_id"] = written{expression: machine.attribute("id")}
	}
	if machine != nil && s.label != "" {
		instead["disc_id"] = written{expression: machine.discByLabel(s.label)}
	}
	return p.prepare(p.ctx, s.importable, "a backup schedule of "+s.machine.title(), nil, instead)
}
