package invoke

import (
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/hashicorp/terraform-plugin-go/tftypes"
)

// every has an argument and a block of each kind, as actions may have them some day.
func every() *Action {
	object := tftypes.Object{AttributeTypes: map[string]tftypes.Type{"a": tftypes.String, "b": tftypes.Number}}
	inner := &tfprotov6.SchemaBlock{Attributes: []*tfprotov6.SchemaAttribute{{Name: "label", Type: tftypes.String}, {Name: "size", Type: tftypes.Number}}}
	return &Action{Name: "every", schema: &tfprotov6.Schema{Block: &tfprotov6.SchemaBlock{
		Attributes: []*tfprotov6.SchemaAttribute{
			{Name: "text", Type: tftypes.String, Required: true},
			{Name: "count", Type: tftypes.Number},
			{Name: "sure", Type: tftypes.Bool},
			{Name: "list", Type: tftypes.List{ElementType: tftypes.String}},
			{Name: "set", Type: tftypes.Set{ElementType: tftypes.Number}},
			{Name: "map", Type: tftypes.Map{ElementType: tftypes.String}},
			{Name: "object", Type: object},
			{Name: "objects", Type: tftypes.List{ElementType: object}},
		},
		BlockTypes: []*tfprotov6.SchemaNestedBlock{
			{TypeName: "one", Nesting: tfprotov6.SchemaNestedBlockNestingModeSingle, Block: inner},
			{TypeName: "group", Nesting: tfprotov6.SchemaNestedBlockNestingModeGroup, Block: inner},
			{TypeName: "some", Nesting: tfprotov6.SchemaNestedBlockNestingModeList, Block: inner},
			{TypeName: "named", Nesting: tfprotov6.SchemaNestedBlockNestingModeMap, Block: inner},
		},
	}}}
}

// TestValues: each value on the command line becomes what a configuration would have.
func TestValues(t *testing.T) {
	t.Parallel()
	for line, want := range map[string]string{
		"text=a=b c":           `"text":tftypes.String<"a=b c">`,
		"text=":                `"text":tftypes.String<"">`,
		"count=1.5":            `"count":tftypes.Number<"1.5">`,
		"sure=true":            `"sure":tftypes.Bool<"true">`,
		"list=a|list=b":        `"list":tftypes.List[tftypes.String]<tftypes.String<"a">, tftypes.String<"b">>`,
		`list=["a","b"]`:       `"list":tftypes.List[tftypes.String]<tftypes.String<"a">, tftypes.String<"b">>`,
		"list.1=b|list.0=a":    `"list":tftypes.List[tftypes.String]<tftypes.String<"a">, tftypes.String<"b">>`,
		"list=[]":              `"list":tftypes.List[tftypes.String]<>`,
		"set=1":                `"set":tftypes.Set[tftypes.Number]<tftypes.Number<"1">>`,
		"map.k=v":              `"map":tftypes.Map[tftypes.String]<"k":tftypes.String<"v">>`,
		`map={"k":"v"}`:        `"map":tftypes.Map[tftypes.String]<"k":tftypes.String<"v">>`,
		"object.a=x":           `tftypes.Object["a":tftypes.String, "b":tftypes.Number]<"a":tftypes.String<"x">, "b":tftypes.Number<null>>`,
		"objects.0.b=2":        `<tftypes.Object["a":tftypes.String, "b":tftypes.Number]<"a":tftypes.String<null>, "b":tftypes.Number<"2">>>`,
		"one.label=vda":        `<"label":tftypes.String<"vda">, "size":tftypes.Number<null>>`,
		"some.0.size=5":        `"some":tftypes.List[tftypes.Object["label":tftypes.String, "size":tftypes.Number]]<tftypes.Object`,
		"named.k.label=x":      `<"k":tftypes.Object`,
		"text=only":            `"some":tftypes.List[tftypes.Object["label":tftypes.String, "size":tftypes.Number]]<>, `,
		"text=no single block": `"one":tftypes.Object["label":tftypes.String, "size":tftypes.Number]<null>`,
	} {
		if !strings.HasPrefix(line, "text=") {
			line += "|text=x"
		}
		value, err := every().parse(strings.Split(line, "|"))
		if err != nil || !strings.Contains(value.String(), want) {
			t.Errorf("%s: %v, %s\nwant %s", line, err, value, want)
		}
	}
}

// TestBadValues: what the schema does not have is a mistake that is named.
func TestBadValues(t *testing.T) {
	t.Parallel()
	for line, want := range map[string]string{
		"text":                   `"text" is not a value such as text=…`,
		"tex=a":                  "Did you mean text?",
		"text=a|text=b":          "text is given twice",
		"text.part=a":            "text has no parts",
		"sure=yes":               "must be true or false",
		"count=many":             "must be a number",
		"list.0=a|list.2=c":      "list.2: the elements of list are numbered from 0 without a gap",
		"list.0=a|list=b":        "list has a value and values of its parts",
		"object.c=1":             `object has no "c"`,
		"object=x":               "object is neither JSON of its type, nor written in parts such as object.NAME=…",
		"some.a.label=x":         "numbered from 0",
		"one.size=big":           "must be a number",
		"count=1":                "every needs text=…",
		"one.label=a|one.lab=b":  "Did you mean one.label?",
		"map=x":                  "map is neither JSON",
		"objects.0.c=1":          `objects.0 has no "c"`,
		"some.0.label=a|text=|a": `"a" is not a value`,
	} {
		if _, err := every().parse(strings.Split(line, "|")); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %q", line, err, want)
		}
	}
}
