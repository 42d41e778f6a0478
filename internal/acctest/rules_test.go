// SPDX-License-Identifier: MPL-2.0

package acctest

import (
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/hashicorp/terraform-plugin-go/tftypes"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/provider"
)

// everything is a schema with each kind of field that the rules distinguish.
func everything() *schema {
	str := func(name string, kind tfprotov6.SchemaAttribute) *tfprotov6.SchemaAttribute {
		kind.Name, kind.Type = name, tftypes.String
		return &kind
	}
	key := str("key", tfprotov6.SchemaAttribute{Optional: true})
	id := str("id", tfprotov6.SchemaAttribute{Computed: true})
	block := func(name string, mode tfprotov6.SchemaNestedBlockNestingMode) *tfprotov6.SchemaNestedBlock {
		attributes := []*tfprotov6.SchemaAttribute{key, id, str("wo", tfprotov6.SchemaAttribute{Optional: true, WriteOnly: true})}
		return &tfprotov6.SchemaNestedBlock{TypeName: name, Nesting: mode, Block: &tfprotov6.SchemaBlock{Attributes: attributes}}
	}
	return newSchema(&tfprotov6.Schema{Block: &tfprotov6.SchemaBlock{
		Attributes: []*tfprotov6.SchemaAttribute{
			str("plain", tfprotov6.SchemaAttribute{Optional: true}),
			str("secret", tfprotov6.SchemaAttribute{Optional: true, Sensitive: true}),
			str("either", tfprotov6.SchemaAttribute{Optional: true, Computed: true}),
		},
		BlockTypes: []*tfprotov6.SchemaNestedBlock{
			block("list", tfprotov6.SchemaNestedBlockNestingModeList),
			block("lone", tfprotov6.SchemaNestedBlockNestingModeSingle),
		},
	}})
}

type config = map[string]any

func value(t *testing.T, s *schema, c config) tftypes.Value {
	t.Helper()
	if c == nil {
		return s.null()
	}
	v, err := buildObject(s.fields, s.typ, c, "")
	if err != nil {
		t.Fatal(err)
	}
	return v
}

func TestPlanProblems(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		prior, config, planned config
		want                   string // no problem when empty
	}{
		"unknown for the computed":    {config: config{}, planned: config{"either": Unknown}},
		"prior kept as equivalent":    {prior: config{"plain": "A"}, config: config{"plain": "a"}, planned: config{"plain": "A"}},
		"prior kept, not configured":  {prior: config{"plain": "A"}, config: config{}, planned: config{"plain": "A"}, want: "plain: A is planned, <nil> configured"},
		"secret differs":              {config: config{"secret": "s3"}, planned: config{"secret": "t4"}, want: "secret: a sensitive value is not the one that is configured"},
		"destroy instead":             {config: config{}, want: "planned for absence"},
		"block blurred":               {config: config{"list": []config{{}}}, planned: config{"list": []any{Unknown}}, want: "list.0: a block itself may not become unknown"},
		"blocks blurred":              {config: config{"list": []config{{}}}, planned: config{"list": Unknown}, want: "list: a block itself may not become unknown"},
		"unknown blocks planned":      {config: config{"list": Unknown}, planned: config{"list": []config{{}}}, want: "list: a dynamic block over an unknown collection may not be planned"},
		"block invented":              {config: config{}, planned: config{"lone": config{}}, want: "lone: planned for existence"},
		"write-only kept":             {config: config{"lone": config{"wo": "w7"}}, planned: config{"lone": config{"wo": "w7"}, "either": "x"}, want: "lone.wo: a write-only value"},
		"write-only nulled, as it is": {config: config{"lone": config{"wo": "w7"}}, planned: config{"lone": config{}}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := everything()
			planned := value(t, s, tt.planned)
			problems := planProblems(s.fields, value(t, s, tt.prior), value(t, s, tt.config), planned, "")
			expectProblem(t, append(problems, writeOnlyProblems(s.fields, planned, "")...), tt.want)
		})
	}
}

func TestResultProblems(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		planned, actual config
		want            string // no problem when empty
	}{
		"unknown became known": {planned: config{"either": Unknown}, actual: config{"either": "x"}},
		"known changed": {
			planned: config{"plain": "a"},
			actual:  config{"plain": "b"},
			want:    "plain: was planned as a, now it is b",
		},
		"secret changed": {
			planned: config{"secret": "s3"},
			actual:  config{"secret": "t4"},
			want:    "secret: a sensitive value is not the one",
		},
		"null filled": {
			planned: config{},
			actual:  config{"plain": "b"},
			want:    "plain: was planned as <nil>, now it is b",
		},
		"gone": {planned: config{}, want: "planned, but it is not there"},
		"block appeared": {
			planned: config{"list": []config{{}}},
			actual:  config{"list": []config{{}, {}}},
			want:    "list: 1 were planned, now there are 2",
		},
		"unknown blocks appeared": {
			planned: config{"list": Unknown, "lone": Unknown},
			actual:  config{"list": []config{{}, {}}},
		},
		"block's field changed": {
			planned: config{"list": []config{{"key": "a"}}},
			actual:  config{"list": []config{{"key": "b"}}},
			want:    "list.0.key: was planned as a",
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := everything()
			expectProblem(t, resultProblems(s.fields, value(t, s, tt.planned), value(t, s, tt.actual), ""), tt.want)
		})
	}
}

// expectProblem expects a problem, or none, that does not contain a secret.
func expectProblem(t *testing.T, problems []string, want string) {
	t.Helper()
	text := strings.Join(problems, "\n")
	if (want == "") != (text == "") || !strings.Contains(text, want) {
		t.Errorf("want %q, got %q", want, text)
	}
	for _, secret := range []string{"s3", "t4", "w7"} {
		if strings.Contains(text, secret) {
			t.Errorf("a secret is in %q", text)
		}
	}
}

// TestKindsOfFields: a resource has no kind of field that the driver has no rules for.
func TestKindsOfFields(t *testing.T) {
	t.Parallel()
	server := NewServer(t, provider.New("test")())
	schemas, err := server.GetProviderSchema(t.Context(), &tfprotov6.GetProviderSchemaRequest{})
	if err != nil {
		t.Fatal(err)
	}
	var expectKnown func(at string, block *tfprotov6.SchemaBlock)
	expectKnown = func(at string, block *tfprotov6.SchemaBlock) {
		for name, f := range blockFields(&tfprotov6.SchemaBlock{Attributes: block.Attributes}) {
			if !f.typ.Is(tftypes.String) && !f.typ.Is(tftypes.Bool) && !f.typ.Is(tftypes.Number) && !f.isComputedMap() {
				t.Errorf("%s: a field of %s", step(at, name), f.typ)
			}
		}
		for _, b := range block.BlockTypes {
			if b.Nesting != tfprotov6.SchemaNestedBlockNestingModeList && b.Nesting != tfprotov6.SchemaNestedBlockNestingModeSingle {
				t.Errorf("%s: blocks of mode %s", step(at, b.TypeName), b.Nesting)
			}
			expectKnown(step(at, b.TypeName), b.Block)
		}
	}
	for name, resource := range schemas.ResourceSchemas {
		expectKnown(name, resource.Block)
	}
}
