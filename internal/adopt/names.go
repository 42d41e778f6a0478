package adopt

import (
	"fmt"
	"strings"
)

// identifier turns any text into a name that Terraform accepts for a block.
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

// names are the names in use. They are compared without regard to case, because some file systems do not distinguish
// it.
type names map[string]bool

// take returns the first free candidate. If none is free, it appends a number to the last one.
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

// joined returns an identifier made of several parts.
func joined(parts ...string) string { return identifier(strings.Join(parts, "_")) }

// title returns the identifier that names a group's file and its block: with the account if there are several.
func (g *estateGroup) title(several bool) string {
	if several {
		return joined(g.name, g.account)
	}
	return identifier(g.name)
}

// fileNames returns the file names that are in use from the start, and those that Windows reserves for devices, with any
// extension.
func fileNames() names {
	used := names{"terraform": true, "provider": true, "imports": true, "override": true, "con": true, "prn": true, "aux": true, "nul": true}
	for n := range 10 {
		used[fmt.Sprintf("com%d", n)], used[fmt.Sprintf("lpt%d", n)] = true, true
	}
	return used
}

// takeFile returns a file name for a group. A name that ends in _override is avoided, because Terraform treats such
// files differently.
func (n names) takeFile(group string) string {
	if strings.HasSuffix(strings.ToLower(group), "_override") {
		group += "_group"
	}
	return n.take(group, group+"_group") + ".tf"
}

// commonName returns the common prefix of the machines' names without separators and digits at its end: "web" for
// web-01 and web-02. It may be "".
func commonName(machines []*placedMachine) string {
	common := machines[0].name
	for _, m := range machines[1:] {
		for !strings.HasPrefix(m.name, common) {
			common = common[:len(common)-1]
		}
	}
	return strings.TrimRight(common, "0123456789-_.")
}
