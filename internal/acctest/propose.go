// SPDX-License-Identifier: MPL-2.0

package acctest

import (
	"maps"
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

// IgnoreAll is `ignore_changes = all`.
const IgnoreAll = "all"

// ignoring returns the configuration for a plan with ignore_changes: the prior values at the paths. An apply gets the
// configuration as it is written. Before an object exists, and for the new object of a replacement, nothing is ignored.
func ignoring(fs fields, prior, config tftypes.Value, ignored []string) tftypes.Value {
	if prior.IsNull() {
		return config
	}
	if slices.Contains(ignored, IgnoreAll) {
		return withoutComputed(fs, prior)
	}
	for _, path := range ignored {
		if value, err := lookup(prior, path); err == nil {
			config = replaceAt(config, path, value)
		}
	}
	return config
}

// withoutComputed returns the object without the attributes that only the provider sets.
func withoutComputed(fs fields, object tftypes.Value) tftypes.Value {
	if object.IsNull() {
		return object
	}
	kept := maps.Clone(members(object))
	for name, f := range fs {
		switch {
		case f.computed && !f.optional:
			kept[name] = tftypes.NewValue(f.typ, nil)
		case f.nesting == single:
			kept[name] = withoutComputed(f.fields, kept[name])
		case f.nesting == list:
			blocks := slices.Clone(elements(kept[name]))
			for i := range blocks {
				blocks[i] = withoutComputed(f.fields, blocks[i])
			}
			kept[name] = tftypes.NewValue(f.typ, blocks)
		}
	}
	return tftypes.NewValue(object.Type(), kept)
}

// replaceAt returns v with another value at a dotted path, or v itself if it has no such path.
func replaceAt(v tftypes.Value, path string, value tftypes.Value) tftypes.Value {
	changed, err := tftypes.Transform(v, func(at *tftypes.AttributePath, old tftypes.Value) (tftypes.Value, error) {
		if Path(at) == path {
			return value, nil
		}
		return old, nil
	})
	if err != nil {
		return v
	}
	return changed
}
