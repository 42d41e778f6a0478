package acctest

import (
	"maps"

	"github.com/hashicorp/terraform-plugin-go/tftypes"
)

// propose merges a configuration with the prior state into what core calls
// the proposed new state: what is configured, and, where an attribute is
// computed and not configured, what it was.
func propose(fs fields, prior, config tftypes.Value) tftypes.Value {
	if config.IsNull() || !config.IsKnown() {
		return config
	}
	configured := members(config)
	proposed := make(map[string]tftypes.Value, len(fs))
	for name, f := range fs {
		proposed[name] = f.propose(member(prior, name, f), configured[name])
	}
	return tftypes.NewValue(config.Type(), proposed)
}

func (f *field) propose(prior, config tftypes.Value) tftypes.Value {
	switch {
	case f.computed && config.IsNull() && f.optional && f.wasConfigured(prior):
		return config // it was taken out of the configuration
	case f.computed && config.IsNull():
		return prior
	case f.nesting == leaf, config.IsNull(), !config.IsKnown():
		return config
	case f.nesting == single:
		return propose(f.fields, prior, config)
	case f.nesting == mapping:
		return f.proposeMap(members(prior), members(config))
	case f.nesting == set:
		return f.proposeSet(elements(prior), elements(config))
	default:
		return f.proposeList(elements(prior), elements(config))
	}
}

// proposeList pairs elements by index, whatever they hold.
func (f *field) proposeList(prior, config []tftypes.Value) tftypes.Value {
	proposed := make([]tftypes.Value, len(config))
	for i, c := range config {
		p := f.noObject()
		if i < len(prior) {
			p = prior[i]
		}
		proposed[i] = propose(f.fields, p, c)
	}
	return tftypes.NewValue(f.typ, proposed)
}

func (f *field) proposeMap(prior, config map[string]tftypes.Value) tftypes.Value {
	proposed := maps.Clone(config)
	for key, c := range config {
		p, ok := prior[key]
		if !ok {
			p = f.noObject()
		}
		proposed[key] = propose(f.fields, p, c)
	}
	return tftypes.NewValue(f.typ, proposed)
}

// proposeSet pairs each element with the first prior one, not yet taken, that
// differs in nothing but what the provider may compute.
func (f *field) proposeSet(prior, config []tftypes.Value) tftypes.Value {
	taken := make([]bool, len(prior))
	proposed := make([]tftypes.Value, len(config))
	for i, c := range config {
		p := f.noObject()
		for j, candidate := range prior {
			if !taken[j] && cameFrom(f.fields, candidate, c) {
				p, taken[j] = candidate, true
				break
			}
		}
		proposed[i] = propose(f.fields, p, c)
	}
	return tftypes.NewValue(f.typ, proposed)
}

func (f *field) noObject() tftypes.Value { return tftypes.NewValue(f.objectType(), nil) }

// wasConfigured reports whether a nested attribute's value holds anything that
// only a configuration can have set.
func (f *field) wasConfigured(v tftypes.Value) bool {
	for _, object := range f.objects(v) {
		for name, value := range members(object) {
			sub := f.fields[name]
			if !value.IsNull() && (!sub.computed || sub.wasConfigured(value)) {
				return true
			}
		}
	}
	return false
}

// cameFrom reports whether the prior object may be what became of the
// configured one: they differ only in computed attributes that are not
// configured.
func cameFrom(fs fields, prior, config tftypes.Value) bool {
	for name, f := range fs {
		p, c := member(prior, name, f), member(config, name, f)
		if !p.Equal(c) && !f.cameFrom(p, c) {
			return false
		}
	}
	return true
}

func (f *field) cameFrom(prior, config tftypes.Value) bool {
	if f.nesting == leaf || f.nesting == set {
		return f.nesting == leaf && f.computed && config.IsNull()
	}
	was, is := f.objects(prior), f.objects(config)
	if len(was) != len(is) {
		return false
	}
	for key, object := range was {
		if _, ok := is[key]; !ok || !cameFrom(f.fields, object, is[key]) {
			return false
		}
	}
	return true
}
