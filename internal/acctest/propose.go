package acctest

import (
	"slices"

	"github.com/hashicorp/terraform-plugin-go/tftypes"
)

// propose merges a configuration with the prior state into what Terraform calls the proposed new state: configured
// values and, for attributes that are computed and not configured, prior values.
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
	case f.computed && config.IsNull():
		return prior
	case f.nesting == leaf, config.IsNull(), !config.IsKnown():
		return config
	case f.nesting == single:
		return propose(f.fields, prior, config)
	}
	was, proposed := elements(prior), slices.Clone(elements(config))
	for i, c := range proposed { // paired by index, whatever they hold
		p := f.noObject()
		if i < len(was) {
			p = was[i]
		}
		proposed[i] = propose(f.fields, p, c)
	}
	return tftypes.NewValue(f.typ, proposed)
}

func (f *field) noObject() tftypes.Value { return tftypes.NewValue(f.objectType(), nil) }
