package adopt

import (
	"fmt"
	"strings"
)

// identifier returns a name that Terraform accepts for a block, of text that may be
// anything.
func identifier(text string) string {
	name := strings.Map(func(r rune) rune {
		if r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' {
			return r
		}
		return '_'
	}, text)
	if name == "" || name[0] >= '0' && name[0] <= '9' {
		name = "_" + name
	}
	return name
}

// names are those that are taken. Names of files count as equal if only their case
// differs, so all do.
type names map[string]bool

// take returns the first of the candidates that is free, or the last one with a
// number.
func (n names) take(candidates ...string) string {
	last := candidates[len(candidates)-1]
	for number := 2; ; number++ {
		for _, name := range candidates {
			if key := strings.ToLower(name); !n[key] {
				n[key] = true
				return name
			}
		}
		candidates = []string{fmt.Sprintf("%s_%d", last, number)}
	}
}

// joined returns the identifier of several parts.
func joined(parts ...string) string { return identifier(strings.Join(parts, "_")) }

// fileNames returns the names of files that are in use from the start.
func fileNames() names {
	return names{"terraform": true, "provider": true, "imports": true, "override": true}
}

// takeFile returns the name of a file for a group. Terraform reads a file whose name
// ends in _override in another way.
func (n names) takeFile(group string) string {
	if strings.HasSuffix(strings.ToLower(group), "_override") {
		group += "_group"
	}
	return n.take(group, group+"_group") + ".tf"
}

// commonName returns what the names of machines have in common at their beginning,
// without separators and digits at its end: web of web-01 and web-02. It may be "".
func commonName(machines []*placedMachine) string {
	common := machines[0].name
	for _, m := range machines[1:] {
		for !strings.HasPrefix(m.name, common) {
			common = common[:len(common)-1]
		}
	}
	return strings.TrimRight(common, "0123456789-_.")
}
