package e2e_test

import (
	"flag"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/hashicorp/hcl/v2/hclwrite"
	"github.com/zclconf/go-cty/cty"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/acctest"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/emulator"
)

var update = flag.Bool("update", false, "rewrite what stories see and leave")

// TestStories tells what users do, and what they see. A file of testdata/stories is one story, read from top to bottom:
//
//	resource, provider, import, without   change the configuration; a second block of a resource changes the first one
//	somebody "…", service "…", guest "…"  is what happens besides (events)
//	plan, apply                           do what the CLI does. sees has the plan, and the messages by where they are and their
//	                                      summaries; leaves has what exists then
//	invoke "…"                            invokes an action
//
// -update writes sees and leaves anew.
func TestStories(t *testing.T) {
	t.Parallel()
	files, err := filepath.Glob("testdata/stories/*.hcl")
	if err != nil || len(files) == 0 {
		t.Fatal(files, err)
	}
	for _, file := range files {
		name := strings.TrimSuffix(filepath.Base(file), ".hcl")
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				newStory(t, file).tell()
				time.Sleep(time.Hour) // abandoned requests end
			})
			if t.Failed() {
				t.Logf("to repeat it: go test ./internal/e2e -run '^TestStories$/^%s$'", name)
			}
		})
	}
}

// story is a story while its steps run.
type story struct {
	*testing.T
	file      string
	source    []byte
	e         *acctest.Emulator
	provider  object
	resources []*written // in the order in which they appear
	seen      []string
}

// written is a resource of the configuration, with its state.
type written struct {
	address, typeName string
	bodies            []*hclsyntax.Body // each one changes what the ones before it say; none: it was removed
	importID          string
	state             *acctest.Object
	plan              *acctest.PlanResult
}

func newStory(t *testing.T, file string) *story {
	t.Helper()
	source, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	e := &acctest.Emulator{URL: "http://" + serviceHost, Emulator: acctest.NewEmulator(t, emulator.Options{
		BootTime: 10 * time.Second, ShutdownTime: 5 * time.Second, CopyTime: 5 * time.Second, Guests: true, GuestBoot: 10 * time.Second,
	})}
	return &story{T: t, file: file, source: source, e: e, provider: object{}}
}

// tell takes the steps of the story.
func (s *story) tell() {
	rewritten, diags := hclwrite.ParseConfig(s.source, s.file, hcl.InitialPos)
	if diags.HasErrors() {
		s.Fatal(diags)
	}
	for i, block := range acctest.ParseHCL(s, s.file, string(s.source)) {
		s.seen = nil
		leaves := s.step(block)
		if leaves == nil {
			continue
		}
		body := rewritten.Body().Blocks()[i].Body()
		s.expect(block, body, "sees", s.seen)
		if block.Type == "apply" || block.Type == "invoke" {
			s.expect(block, body, "leaves", leaves)
		}
	}
	if *update {
		if err := os.WriteFile(s.file, hclwrite.Format(rewritten.Bytes()), 0o600); err != nil {
			s.Fatal(err)
		}
	}
}

// step takes one step. It returns what exists afterwards, or nil if nothing is to be seen.
func (s *story) step(block *hclsyntax.Block) (leaves []string) {
	switch block.Type {
	case "provider":
		s.provider = acctest.HCLConfig(s, block.Body, nil)
		return nil
	case "resource":
		r := s.resource(block.Labels[0] + "." + block.Labels[1])
		r.bodies = append(r.bodies, block.Body)
		return nil
	case "without":
		s.resource(block.Labels[0] + "." + block.Labels[1]).bodies = nil
		return nil
	case "import":
		to, _ := hcl.AbsTraversalForExpr(block.Body.Attributes["to"].Expr)
		id, _ := block.Body.Attributes["id"].Expr.Value(nil)
		s.resource(to.RootName() + "." + to[1].(hcl.TraverseAttr).Name).importID = id.AsString()
		return nil
	case "somebody", "service", "guest":
		do := events()[block.Type+" "+block.Labels[0]]
		if do == nil {
			s.Fatalf("%s: nobody knows what it is that %s %q", s.file, block.Type, block.Labels[0])
		}
		do(s, s.values(block.Body))
		time.Sleep(time.Minute)
		return nil
	case "invoke":
		config := acctest.HCLConfig(s, block.Body, s.known(true))
		delete(config, "sees")
		delete(config, "leaves")
		_, diags := s.process().Invoke(s.Context(), block.Labels[0], config)
		if s.say(diags); len(diags) == 0 {
			s.seen = []string{"done"}
		}
	case "plan":
		s.planAll()
	case "apply":
		if s.planAll() {
			s.applyAll()
		}
	default:
		s.Fatalf("%s: a step cannot be %s", s.file, block.Type)
	}
	time.Sleep(time.Minute) // machines boot
	return s.world()
}

// expect compares a list of the story with what happened, or writes it.
func (s *story) expect(block *hclsyntax.Block, body *hclwrite.Body, name string, got []string) {
	s.Helper()
	if *update {
		list := "x = [\n"
		for _, line := range got {
			list += string(hclwrite.TokensForValue(cty.StringVal(line)).Bytes()) + ",\n"
		}
		parsed, _ := hclwrite.ParseConfig([]byte(list+"]\n"), "", hcl.InitialPos)
		body.SetAttributeRaw(name, parsed.Body().GetAttribute("x").Expr().BuildTokens(nil))
		return
	}
	var want []string
	if attribute := block.Body.Attributes[name]; attribute != nil {
		value, _ := attribute.Expr.Value(nil)
		for _, line := range value.AsValueSlice() {
			want = append(want, line.AsString())
		}
	}
	if diff := cmp.Diff(want, got); diff != "" {
		s.Errorf("%s:%d: %s of the story (-) and what happened (+):\n%s", s.file, block.TypeRange.Start.Line, name, diff)
	}
}

// resource returns the resource with an address.
func (s *story) resource(address string) *written {
	for _, r := range s.resources {
		if r.address == address {
			return r
		}
	}
	typeName, _, _ := strings.Cut(address, ".")
	r := &written{address: address, typeName: typeName}
	s.resources = append(s.resources, r)
	return r
}

func (s *story) process() *acctest.Driver { return s.e.NewDriver(s.T, s.provider).OneRun() }

// planAll refreshes and plans everything, as the CLI does, and reports whether that may be applied.
func (s *story) planAll() (ok bool) {
	d := s.process()
	var said diagnostics
	for _, r := range s.resources {
		var diags diagnostics
		if r.importID != "" && r.state == nil {
			s.seen = append(s.seen, "import "+r.address)
			r.state, diags = d.Import(s.Context(), r.typeName, r.importID)
		} else {
			r.state, diags = d.Refresh(s.Context(), r.state)
		}
		said = append(said, diags...)
		r.plan, r.importID = nil, ""
	}
	for _, r := range s.resources {
		if len(r.bodies) > 0 || r.state != nil {
			r.plan = d.Plan(s.Context(), r.typeName, r.state, r.config(s.T, s.known(false)))
			said = append(said, r.plan.Diagnostics...)
		}
	}
	if !acctest.HasErrors(said) {
		s.seen = append(s.seen, s.planned()...)
	}
	s.say(said)
	return !acctest.HasErrors(said)
}

// planned returns the plan in the signs of the CLI.
func (s *story) planned() (lines []string) {
	for _, r := range s.resources {
		if r.plan == nil {
			continue
		}
		switch r.plan.Action {
		case acctest.ActionCreate:
			lines = append(lines, "+ "+r.address)
		case acctest.ActionUpdate:
			lines = append(lines, "~ "+r.address+": "+strings.Join(r.plan.Changes(), ", "))
		case acctest.ActionReplace:
			lines = append(lines, "-/+ "+r.address+": "+strings.Join(r.plan.RequiresReplace, ", "))
		case acctest.ActionDelete:
			lines = append(lines, "- "+r.address)
		}
	}
	if lines == nil {
		return []string{"no changes"}
	}
	return lines
}

// applyAll applies the plans in another process: types in the order of the story, and destroys in the reverse order after
// them. Resources of one type are applied together.
func (s *story) applyAll() {
	d := s.process()
	var types []string
	for _, r := range s.resources {
		if !slices.Contains(types, r.typeName) {
			types = append(types, r.typeName)
		}
	}
	ok := true
	for _, typeName := range types {
		ok = ok && s.applyOf(d, typeName, false)
	}
	for _, typeName := range slices.Backward(types) {
		ok = ok && s.applyOf(d, typeName, true)
	}
}

func (s *story) applyOf(d *acctest.Driver, typeName string, destroys bool) (ok bool) {
	known := s.known(true)
	all := make([]diagnostics, len(s.resources))
	var together sync.WaitGroup
	for i, r := range s.resources {
		if r.plan != nil && r.typeName == typeName && destroys == (r.plan.Action == acctest.ActionDelete) {
			config := r.config(s.T, known)
			together.Go(func() { r.state, all[i] = d.ApplyWith(s.Context(), r.plan, config) })
			time.Sleep(time.Second) // so that IDs and messages are the same each time
		}
	}
	together.Wait()
	diags := slices.Concat(all...)
	s.say(diags)
	return !acctest.HasErrors(diags)
}

// say adds messages to what is seen: where they are, and their summaries.
func (s *story) say(diags diagnostics) {
	for _, d := range diags {
		line := strings.ToLower(d.Severity.String())
		if at := acctest.Path(d.Attribute); at != "" {
			line += " at " + at
		}
		if line += ": " + d.Summary; !slices.Contains(s.seen, line) {
			s.seen = append(s.seen, line)
		}
	}
}

// config returns the configuration of a resource, or nil if it was removed.
func (r *written) config(t *testing.T, known *hcl.EvalContext) object {
	t.Helper()
	if len(r.bodies) == 0 {
		return nil
	}
	config := object{}
	for _, body := range r.bodies {
		maps.Copy(config, acctest.HCLConfig(t, body, known))
	}
	return config
}

// known returns the values that a configuration refers to: those of the states or, before an apply, of the plans.
func (s *story) known(applied bool) *hcl.EvalContext {
	types := map[string]map[string]cty.Value{}
	for _, r := range s.resources {
		value := cty.DynamicVal
		if r.state != nil {
			value = ctyOf(r.state.Get(""))
		}
		if !applied && r.plan != nil {
			value = ctyOf(r.plan.Get(""))
		}
		if types[r.typeName] == nil {
			types[r.typeName] = map[string]cty.Value{}
		}
		_, name, _ := strings.Cut(r.address, ".")
		types[r.typeName][name] = value
	}
	known := &hcl.EvalContext{Variables: map[string]cty.Value{}}
	for typeName, values := range types {
		known.Variables[typeName] = cty.ObjectVal(values)
	}
	return known
}

// ctyOf returns a value of a state for expressions. What is null is left out.
func ctyOf(value any) cty.Value {
	switch value := value.(type) {
	case string:
		return cty.StringVal(value)
	case bool:
		return cty.BoolVal(value)
	case int64:
		return cty.NumberIntVal(value)
	case map[string]any:
		values := map[string]cty.Value{}
		for name, element := range value {
			if element != nil {
				values[name] = ctyOf(element)
			}
		}
		return cty.ObjectVal(values)
	case []any:
		values := make([]cty.Value, len(value))
		for i, element := range value {
			values[i] = ctyOf(element)
		}
		return cty.TupleVal(values)
	}
	return cty.DynamicVal
}

// values returns the attributes of a step as text.
func (s *story) values(body *hclsyntax.Body) map[string]string {
	values := map[string]string{}
	for name, value := range acctest.HCLConfig(s, body, s.known(true)) {
		values[name] = fmt.Sprint(value)
	}
	return values
}
