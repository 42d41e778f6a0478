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
	return reference(
		hclwrite.TokensForTraversal(hcl.Traversal{hcl.TraverseRoot{Name: typeName}, hcl.TraverseAttr{Name: name}}),
	)
}

// at returns the reference to the instance with this key.
func (r reference) at(key hclwrite.Tokens) reference {
	return reference(expression(hclwrite.Tokens(r), "[", key, "]"))
}

// attribute returns an expression for an attribute of the referenced object.
func (r reference) attribute(name string) hclwrite.Tokens {
	return expression(hclwrite.Tokens(r), "."+name)
}

// discByLabel returns an expression for the ID of the disc with this label.
func (r reference) discByLabel(label string) hclwrite.Tokens {
	return expression(r.attribute("disc_ids"), "[", text(label), "]")
}

// The references in a block with for_each.
var (
	eachKey   = raw("each.key")
	eachValue = raw("each.value")
)

// expression concatenates tokens and strings. Strings are inserted as they are, so they must never be text of the
// service.
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

// text returns a string literal. Template sequences in it are escaped.
func text(value string) hclwrite.Tokens { return hclwrite.TokensForValue(cty.StringVal(value)) }

func raw(text string) hclwrite.Tokens {
	return hclwrite.Tokens{{Type: hclsyntax.TokenIdent, Bytes: []byte(text)}}
}

// comment returns the end of a line, with a comment unless the text is empty. The text may come from the service.
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

// bytes returns the text in the format of `terraform fmt`, after an introductory comment.
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

// line appends an argument followed by a comment.
func line(body *hclwrite.Body, name string, value hclwrite.Tokens, remark string) {
	body.AppendUnstructuredTokens(expression(name+" = ", value, comment(remark)))
}
