package adopt

import (
	"strings"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/hashicorp/hcl/v2/hclwrite"
	"github.com/zclconf/go-cty/cty"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/cloudserver"
)

// reference is an expression for a resource, or for one of its instances.
type reference hclwrite.Tokens

// resource returns the reference to a resource.
func resource(typeName, name string) reference {
	return reference(hclwrite.TokensForTraversal(hcl.Traversal{hcl.TraverseRoot{Name: typeName}, hcl.TraverseAttr{Name: name}}))
}

// at returns the reference to the instance with the key.
func (r reference) at(key hclwrite.Tokens) reference {
	return reference(expression(hclwrite.Tokens(r), "[", key, "]"))
}

// attribute returns an attribute of what is referred to.
func (r reference) attribute(name string) hclwrite.Tokens {
	return expression(hclwrite.Tokens(r), "."+name)
}

// discByLabel returns the expression for the ID of a machine's disc, which stays the
// same disc when another block is inserted before it.
func (r reference) discByLabel(label string) hclwrite.Tokens {
	return expression("one([for d in ", r.attribute("disc"), " : d.id if d.label == ", text(label), "])")
}

// The references in a block with for_each.
var (
	eachKey   = raw("each.key")
	eachValue = raw("each.value")
)

// expression returns the tokens of an expression, of which strings are written as they
// are: they are never text of the service.
func expression(parts ...any) hclwrite.Tokens {
	var tokens hclwrite.Tokens
	for _, part := range parts {
		switch part := part.(type) {
		case string:
			tokens = append(tokens, raw(part)...)
		case hclwrite.Tokens:
			tokens = append(tokens, part...)
		}
	}
	return tokens
}

// text returns a string literal, in which nothing is a template.
func text(value string) hclwrite.Tokens { return hclwrite.TokensForValue(cty.StringVal(value)) }

func raw(text string) hclwrite.Tokens {
	return hclwrite.Tokens{{Type: hclsyntax.TokenIdent, Bytes: []byte(text)}}
}

// comment returns the end of a line, with a comment unless the text is empty. The text
// may be the service's.
func comment(text string) hclwrite.Tokens {
	if text = cloudserver.Shown(text); text == "" {
		return raw("\n")
	}
	return hclwrite.Tokens{{Type: hclsyntax.TokenComment, Bytes: []byte(" # " + text + "\n")}}
}

// source collects blocks.
type source struct{ file *hclwrite.File }

func newSource() source { return source{hclwrite.NewEmptyFile()} }

// block appends a block, with an empty line before it.
func (s source) block(typeName string, labels ...string) *hclwrite.Body {
	body := s.file.Body()
	if len(body.Blocks()) > 0 {
		body.AppendNewline()
	}
	return body.AppendNewBlock(typeName, labels).Body()
}

func (s source) isEmpty() bool { return len(s.file.Body().Blocks()) == 0 }

// bytes returns the text as `terraform fmt` writes it, after a comment.
func (s source) bytes(introduction ...string) []byte {
	var head strings.Builder
	for _, line := range introduction {
		head.WriteString("# " + line + "\n")
	}
	if len(introduction) > 0 && len(s.file.Body().Blocks()) > 0 {
		head.WriteString("\n")
	}
	return hclwrite.Format(append([]byte(head.String()), s.file.Bytes()...))
}

// line appends an argument with a comment behind it.
func line(body *hclwrite.Body, name string, value hclwrite.Tokens, remark string) {
	body.AppendUnstructuredTokens(expression(name+" = ", value, comment(remark)))
}
