package adopt

import (
	"fmt"
	"strings"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/hashicorp/hcl/v2/hclwrite"
	"github.com/zclconf/go-cty/cty"
)

// address is the address of a resource instance.
type address struct {
	text     string
	block    string    // without its own key
	resource string    // without any keys, as removed blocks name it
	modules  []string  // the names of its modules
	key      cty.Value // cty.NilVal: it has none
}

// parseAddress parses an address of a plan or a state. Anything else is an error, because it becomes part of a
// configuration.
func parseAddress(text string) (address, error) {
	steps, diags := hclsyntax.ParseTraversalAbs([]byte(text), "", hcl.InitialPos)
	if diags.HasErrors() {
		return address{}, fmt.Errorf("%q is not the address of a resource", text)
	}
	a := address{text: text, key: cty.NilVal}
	if last, ok := steps[len(steps)-1].(hcl.TraverseIndex); ok {
		a.key, steps = last.Key, steps[:len(steps)-1]
	}
	a.block = string(hclwrite.TokensForTraversal(steps).Bytes())
	var names []string
	for _, step := range steps {
		switch step := step.(type) {
		case hcl.TraverseRoot:
			names = append(names, step.Name)
		case hcl.TraverseAttr:
			names = append(names, step.Name)
		}
	}
	a.resource = strings.Join(names, ".")
	for len(names) > 3 && names[0] == "module" {
		a.modules, names = append(a.modules, names[1]), names[2:]
	}
	return a, nil
}

// keyText returns the key as text, or "" if there is none.
func (a address) keyText() string {
	switch {
	case a.key == cty.NilVal:
		return ""
	case a.key.Type() == cty.Number:
		return a.key.AsBigFloat().Text('f', 0)
	}
	return a.key.AsString()
}

// isCounted reports whether the key is an index of count.
func (a address) isCounted() bool { return a.key != cty.NilVal && a.key.Type() == cty.Number }
