package adopt

import (
	"github.com/hashicorp/hcl/v2/hclwrite"
)

// imported is a resource with the objects to import, one or, with keys, some.
type imported struct {
	typeName  string
	at        reference
	isCounted bool // its keys are numbers
	instances []instance
}

// instance is an object to import.
type instance struct {
	key     string // "": the resource has one instance
	id      string
	comment string
}

// writeImports writes the import blocks: one a resource, because Terraform 1.16.0
// carries out only the first of several blocks for one resource.
func writeImports(out source, resources []imported) {
	for _, r := range resources {
		body := out.block("import")
		first := r.instances[0]
		if first.key == "" {
			line(body, "to", hclwrite.Tokens(r.at), "")
			line(body, "id", text(first.id), first.comment)
			continue
		}
		key, id := eachKey, eachValue
		if r.isCounted { // no function may convert the key
			key, id = raw("each.value.index"), raw("each.value.id")
		}
		tokens := raw("for_each = {\n")
		for _, i := range r.instances {
			value := text(i.id)
			if r.isCounted {
				value = expression("{ index = "+i.key+", id = ", value, " }")
			}
			tokens = append(tokens, expression(text(i.key), " = ", value, comment(i.comment))...)
		}
		body.AppendUnstructuredTokens(append(tokens, raw("}\n")...))
		line(body, "to", hclwrite.Tokens(r.at.at(key)), "")
		line(body, "id", id, "")
	}
}

// keys returns the keys of instances as a set, a line each.
func keys(instances []instance) hclwrite.Tokens {
	tokens := raw("toset([\n")
	for _, i := range instances {
		tokens = append(tokens, expression(text(i.key), ",", comment(i.comment))...)
	}
	return append(tokens, raw("])")...)
}
