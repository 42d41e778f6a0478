package adopt

import (
	"github.com/hashicorp/hcl/v2/hclwrite"
)

// imported is a resource and the objects to import: one, or several with keys.
type imported struct {
	typeName  string
	at        reference
	instances []instance
}

// instance is an object to import.
type instance struct {
	key     string // "": the resource has one instance
	id      string
	comment string
}

// writeImports writes one import block for each resource, because of several blocks for one resource Terraform 1.16.0
// carries out only the first.
func writeImports(out source, resources []imported) {
	for _, r := range resources {
		body := out.block("import")
		first := r.instances[0]
		if first.key == "" {
			line(body, "to", hclwrite.Tokens(r.at), "")
			line(body, "id", text(first.id), first.comment)
			continue
		}
		tokens := raw("for_each = {\n")
		for _, i := range r.instances {
			tokens = append(tokens, expression(text(i.key), " = ", text(i.id), comment(i.comment))...)
		}
		body.AppendUnstructuredTokens(append(tokens, raw("}\n")...))
		line(body, "to", hclwrite.Tokens(r.at.at(eachKey)), "")
		line(body, "id", eachValue, "")
	}
}

// keys returns the keys of instances as a set, one per line.
func keys(instances []instance) hclwrite.Tokens {
	tokens := raw("toset([\n")
	for _, i := range instances {
		tokens = append(tokens, expression(text(i.key), ",", comment(i.comment))...)
	}
	return append(tokens, raw("])")...)
}
