package acctest

import (
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/hashicorp/terraform-plugin-go/tftypes"
)

// PlanOption changes how Plan plans.
type PlanOption func(*planOptions)

type planOptions struct {
	ignored []string
	force   bool
	left    []byte // the private state that the read of an object which is gone has left
}

func collect(options []PlanOption) planOptions {
	var o planOptions
	for _, option := range options {
		option(&o)
	}
	return o
}

// IgnoreAll is `ignore_changes = all` for IgnoreChanges.
const IgnoreAll = "all"

// IgnoreChanges is `lifecycle { ignore_changes = [...] }` with dotted paths: "cores", "disc", "disc.0.size",
// "reimage.distribution". As in Terraform, the provider plans with the prior values at these paths, and applies with
// the configuration as it is written.
func IgnoreChanges(paths ...string) PlanOption {
	return func(o *planOptions) { o.ignored = append(o.ignored, paths...) }
}

// ignoring returns the configuration for a plan. Before an object exists, and for the new object of a replacement,
// nothing is ignored.
func ignoring(fs fields, prior, config tftypes.Value, ignored []string) tftypes.Value {
	if len(ignored) == 0 || prior.IsNull() {
		return config
	}
	if slices.Contains(ignored, IgnoreAll) {
		return withoutComputed(fs, prior)
	}
	for _, path := range ignored {
		value, err := lookup(prior, path)
		if err != nil {
			continue // core drops a path that leads nowhere in the state
		}
		config = with(config, strings.Split(path, "."), value)
	}
	return config
}

// withoutComputed returns the object without the attributes that only the provider sets.
func withoutComputed(fs fields, object tftypes.Value) tftypes.Value {
	if object.IsNull() || !object.IsKnown() {
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

// with returns v with another value at the path, or v itself if it has no such path.
func with(v tftypes.Value, path []string, value tftypes.Value) tftypes.Value {
	if len(path) == 0 {
		return value
	}
	if parts := maps.Clone(members(v)); parts != nil {
		part, ok := parts[path[0]]
		if !ok {
			return v
		}
		parts[path[0]] = with(part, path[1:], value)
		return tftypes.NewValue(v.Type(), parts)
	}
	parts, index := slices.Clone(elements(v)), -1
	if at, err := strconv.Atoi(path[0]); err == nil {
		index = at
	}
	if index < 0 || index >= len(parts) {
		return v
	}
	parts[index] = with(parts[index], path[1:], value)
	return tftypes.NewValue(v.Type(), parts)
}
